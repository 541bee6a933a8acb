#!/usr/bin/env python3
"""Compares the hashes that 'chordata hash' computes with those in stores that Core Data wrote.

A store belongs to a version of a model of the same project if both have the same entities and all computed hashes, at least one,
are equal. Stores are copied, and the copies are opened. The exit code is 1 if a store has the entities of a version but other
hashes, if no store belongs to a version, or if the tool crashes.

usage: hashes.py MODELS STORES TOOL
"""

import json
import os
import plistlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bundlefiles  # noqa: E402


def stores(folder):
    """The paths of the stores in a folder."""
    return sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith((".sqlite", ".db", ".store"))
    )


def stored_hashes(path):
    """The hashes of a store by entity, as digits; None if it is not one of Core Data's."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "store.sqlite")
        for suffix in ("", "-wal"):
            if os.path.exists(path + suffix):
                shutil.copyfile(path + suffix, copy + suffix)
        connection = sqlite3.connect(copy)
        try:
            row = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
        except sqlite3.DatabaseError:
            return None
        finally:
            connection.close()
    hashes = plistlib.loads(row[0]).get("NSStoreModelVersionHashes", {})
    return {name: value.hex() for name, value in hashes.items()}


def version_hashes(bundle, name, tool):
    """The hashes of a version by entity; None for an entity whose hash is not computed, and for a model with errors."""
    options = ["--version", name] if bundle.endswith("d") else []
    result = subprocess.run([tool, "hash", bundle, *options, "--format", "json"], capture_output=True, text=True, timeout=120)
    if result.returncode == 1:
        print(f"{bundle}, version '{name}': the model has errors")
        return None
    if result.returncode != 0:
        raise RuntimeError(f"{bundle}, version '{name}': exit code {result.returncode}\n{result.stderr}")
    return {entity["name"]: entity["hash"] for entity in json.loads(result.stdout)["entities"]}


def agree(stored, computed):
    """Returns whether a store belongs to a version, to the extent that hashes are computed."""
    compared = {name: hash for name, hash in computed.items() if hash is not None}
    return set(stored) == set(computed) and bool(compared) and all(stored[name] == hash for name, hash in compared.items())


def main(models, folder, tool):
    found = 0
    problems = []
    for path in stores(folder):
        name = os.path.relpath(path, folder)
        stored = stored_hashes(path)
        if stored is None:
            print(f"{name}: not a store of Core Data")
            continue
        project = os.path.join(models, name.split(os.sep)[0])
        versions = [
            (bundle, version)
            for bundle in bundlefiles.bundles(project)
            for version in bundlefiles.versions(bundle)
        ]
        computed = [(version, version_hashes(bundle, version, tool)) for bundle, version in versions]
        equal = [version for version, hashes in computed if hashes is not None and agree(stored, hashes)]
        named = [version for version, hashes in computed if hashes is not None and set(hashes) == set(stored)]
        if equal:
            found += 1
            hashes = dict(computed)[equal[0]]
            print(f"{name}: version '{equal[0]}', {sum(map(bool, hashes.values()))} of {len(stored)} hashes compared")
        elif named:
            problems.append(f"{name}: the hashes of no version are equal, but '{named[0]}' has the same entities")
        else:
            print(f"{name}: {len(stored)} entities, no version in the corpus")
    for problem in problems:
        print(f"error: {problem}")
    print(f"{found} stores have a version, {len(problems)} problems")
    return 0 if found and not problems else 1


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
