#!/usr/bin/env python3
"""Converts copies of the stores of Core Data in a folder in all ways, and compares the results.

Of each store: 'inspect' finds its model and no broken invariant; the extracted model is valid and has the store's hashes where
they are computed; an import has the rows of the store; an export into the original changes nothing; a new store that is exported
and imported again has the rows of the import. The exit code is 1 if a store fails, or if there is none.

With --models, the tables of Core Data are predicted for each current version of the models (with --thorough for all versions).
Where a folder with independent checkers exists (zschema.py and zcheck.py), they must agree with the predictions and accept the
new stores.

usage: conversions.py STORES TOOL [--models MODELS] [--checkers FOLDER] [--thorough]
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bundlefiles  # noqa: E402
import hashes  # noqa: E402


class Failure(Exception):
    """A result that is not what it should be."""


def require(condition, message):
    if not condition:
        raise Failure(message)


def run(tool, *arguments, codes=(0,)):
    """The output of a command."""
    result = subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=300)
    require(result.returncode in codes, f"{' '.join(arguments[:2])}: exit code {result.returncode}: {result.stderr.strip()}")
    return result


def copy_store(path, folder, name="store.sqlite"):
    """A copy of a store with its log and its files, which may be changed."""
    copy = os.path.join(folder, name)
    for ending in ("", "-wal"):
        if os.path.exists(path + ending):
            shutil.copyfile(path + ending, copy + ending)
    support = os.path.join(os.path.dirname(path), f".{os.path.splitext(os.path.basename(path))[0]}_SUPPORT")
    if os.path.isdir(support):
        shutil.copytree(support, os.path.join(folder, f".{os.path.splitext(name)[0]}_SUPPORT"))
    return copy


def contents(path):
    """The bytes of a store and of its log."""
    return [open(path + ending, "rb").read() if os.path.exists(path + ending) else b"" for ending in ("", "-wal")]


def rows(path):
    """All rows of a native store except its metadata, by table."""
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    names = [
        name.decode()
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('_metadata', '_migration')")
    ]
    found = {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}
    connection.close()
    return found


def counts(path):
    """The total number of rows of all entities' tables of a store of Core Data."""
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(copy_store(path, folder))
        tables = [
            name
            for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z[A-Z]*'")
        ]
        total = sum(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables)
        connection.close()
    return total


def check_store(path, tool, checkers):
    """Converts one store; returns the lines of the report."""
    with tempfile.TemporaryDirectory() as folder:
        store = copy_store(path, folder)
        before = contents(store)
        inspection = json.loads(run(tool, "inspect", store, "--format", "json").stdout)
        require(inspection["brokenInvariants"] == [], f"broken invariants: {inspection['brokenInvariants']}")
        name = os.path.join(folder, "Extracted")
        omissions = run(tool, "model", "extract", store, "--output", name).stderr.count("not in the model file")
        model = name + ".xcdatamodeld"
        run(tool, "validate", model)
        stored = hashes.stored_hashes(path)
        computed = hashes.version_hashes(model, "Extracted", tool) or {}
        require(set(computed) == set(stored), "the extracted model has other entities")
        different = sorted(name for name, value in computed.items() if value not in (None, stored[name]))
        require(not different or omissions, f"the hashes of {different} differ")
        native = os.path.join(folder, "native.sqlite")
        imported = json.loads(run(tool, "import", store, "--output", native, "--format", "json").stdout)
        total = sum(entity["count"] for entity in imported["entities"])
        require(total == counts(path), f"{total} rows were imported, of {counts(path)}")
        require(imported["storeUUID"] == inspection["storeUUID"], "the UUID has changed")
        exported = json.loads(run(tool, "export", native, "--into", store, "--format", "json").stdout)
        changes = [exported[kind] for kind in ("inserted", "updated", "deleted")]
        require(changes == [0, 0, 0], f"an export without changes has changed {changes} rows")
        require(contents(store) == before, "the original has changed")
        new = os.path.join(folder, "new.sqlite")
        result = run(tool, "export", native, "--new", new, "--model", model, codes=(0, 1))
        if result.returncode == 0:
            again = os.path.join(folder, "again.sqlite")
            run(tool, "import", new, "--output", again)
            require(rows(again) == rows(native), "the new store has other rows")
            check_new_store(new, model, checkers)
            form = "new store equal"
        else:
            require("cannot be created" in result.stderr, result.stderr)
            form = "no new store: " + result.stderr.split("cannot be created: ", 1)[1].split(";", 1)[0]
        return f"{total} rows in, {total} out, equal; {omissions} parts not in the model file; {form}"


def check_new_store(path, model, checkers):
    """Gives a new store to the independent checkers."""
    if checkers is None:
        return
    zschema, zcheck = checkers
    version = os.path.join(model, "Extracted.xcdatamodel", "contents")
    with open(version, "rb") as file:
        _, differences = zschema.distance(zschema.Store(path), zschema.model_from_xml(file.read()))
    found = {kind: values for kind, values in differences.items() if values}
    require(not found, f"zschema: {found}")
    require(not zcheck.check(path), f"zcheck: {zcheck.check(path)}")


def check_prediction(path, tool, zschema):
    """Compares the tables of a version with those that the independent checker predicts; returns whether it predicts
    any."""
    # Only this version is read, because a bundle would be read again for each of its versions.
    result = run(tool, "schema", os.path.dirname(path), "--core-data", codes=(0, 1))
    if result.returncode == 1:
        return False
    connection = sqlite3.connect(":memory:")
    connection.executescript(result.stdout)
    tables = {
        table: [(row[1], row[2]) for row in connection.execute("SELECT * FROM pragma_table_info(?)", (table,))]
        for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN "
                                           "('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE')").fetchall()
    }
    indexes = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")}
    connection.close()
    with open(path, "rb") as file:
        text = file.read()
    if b"<composite " in text:
        # The independent checker does not read the elements of composites.
        return False
    predicted = zschema.predict(zschema.model_from_xml(text))
    expected = dict(predicted.tables)
    for table, columns in predicted.join_tables.items():
        # The independent checker has one column for a relationship that is its own inverse.
        expected[table] = [column for column in columns if column[0]]
    for table, columns in expected.items():
        found = [column for column in tables.get(table, []) if column[0] != "REFLEXIVE"]
        require(sorted(found) == sorted(columns), f"table {table} is {found}, not {columns}")
        plain = [column for column in found if not column[0].startswith("Z_FOK_")]
        if not any(column[0].startswith("Z_FOK_") for column in columns):
            require(plain == columns or table in predicted.join_tables, f"the columns of {table} are in another order")
    require(set(tables) == set(expected), f"tables {sorted(set(tables) ^ set(expected))} are of one side only")
    missing = set(predicted.indexes) - indexes - predicted.optional
    extra = indexes - set(predicted.indexes) - predicted.optional
    require(not missing and not extra, f"indexes {sorted(missing)} are missing, {sorted(extra)} are not expected")
    return True


def load_checkers(folder):
    """The independent checkers; None if there are none."""
    if not folder or not os.path.isfile(os.path.join(folder, "zschema.py")):
        return None
    sys.path.insert(0, folder)
    import zcheck
    import zschema

    return zschema, zcheck


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores")
    parser.add_argument("tool")
    parser.add_argument("--models")
    parser.add_argument("--checkers")
    parser.add_argument("--thorough", action="store_true")
    arguments = parser.parse_args()
    checkers = load_checkers(arguments.checkers)
    found, failures = 0, 0
    for path in hashes.stores(arguments.stores):
        if hashes.stored_hashes(path) is None:
            continue
        found += 1
        try:
            print(f"{os.path.basename(path)}: {check_store(path, arguments.tool, checkers)}", flush=True)
        except (Failure, subprocess.TimeoutExpired, sqlite3.DatabaseError) as failure:
            failures += 1
            print(f"{path}: {failure}", flush=True)
    if arguments.models and checkers:
        predicted = 0
        for bundle in bundlefiles.bundles(arguments.models):
            current = bundlefiles.current(bundle)
            for name, contents_path in bundlefiles.versions(bundle).items():
                if not arguments.thorough and name != current:
                    continue
                try:
                    predicted += check_prediction(contents_path, arguments.tool, checkers[0])
                except (Failure, subprocess.TimeoutExpired, sqlite3.DatabaseError) as failure:
                    failures += 1
                    print(f"{bundle}, version '{name}': {failure}", flush=True)
        print(f"{predicted} versions of models have the predicted tables", flush=True)
        if predicted == 0:
            failures += 1
    print(f"{found} stores, {failures} problems")
    return 1 if failures or not found else 0


if __name__ == "__main__":
    sys.exit(main())
