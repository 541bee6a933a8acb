#!/usr/bin/env python3
"""Measures conversions of stores of Core Data beside one hand-written INSERT … SELECT per table over ATTACH.

A store with a book and a tenth of an author for each row is imported, and exported to a new store, by 'chordata' and by hand, in
turn. Both write all tables and indexes without waiting for the disk; 'chordata' checks the values before and the result after, and
brings the file to the disk at the end. Prints the medians of the elapsed seconds, their minima and maxima, and the ratios.

usage: measure.py TOOL [--rows N] [--rounds N] [--json FILE]
"""

import argparse
import json
import os
import plistlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Author">
        <attribute name="name" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    </entity>
    <entity name="Book">
        <attribute name="day" optional="YES" attributeType="Date"/>
        <attribute name="pages" optional="YES" attributeType="Integer 32"/>
        <attribute name="rating" optional="YES" attributeType="Double"/>
        <attribute name="sold" optional="YES" attributeType="Boolean"/>
        <attribute name="title" attributeType="String"/>
        <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    </entity>
</model>
"""
IMPORT = [
    'INSERT INTO "Author" (_id, _version, name) SELECT Z_PK, Z_OPT, ZNAME FROM source.ZAUTHOR',
    'INSERT INTO "Book" (_id, _version, day, pages, rating, sold, title, author) '
    "SELECT Z_PK, Z_OPT, ZDAY, ZPAGES, ZRATING, ZSOLD, ZTITLE, ZAUTHOR FROM source.ZBOOK",
]
EXPORT = [
    "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT _id, 1, _version, name FROM source.Author",
    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZDAY, ZPAGES, ZRATING, ZSOLD, ZTITLE, ZAUTHOR) "
    "SELECT _id, 2, _version, day, pages, rating, sold, title, author FROM source.Book",
]


def output(*arguments):
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


def make_store(path, tool, model, rows):
    """Writes a store of Core Data; the references are in no order."""
    connection = sqlite3.connect(path)
    connection.executescript("PRAGMA page_size=4096;" + output(tool, "schema", model, "--core-data"))
    authors = max(rows // 10, 1)
    connection.executemany(
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, 1, 1, ?)",
        ((key, f"Author {key}") for key in range(1, authors + 1)),
    )
    connection.executemany(
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZDAY, ZPAGES, ZRATING, ZSOLD, ZTITLE, ZAUTHOR) VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?)",
        (
            (key, key * 0.5, key % 900, key * 0.25, key % 2, f"Title of book {key}", key * 7_919 % authors + 1)
            for key in range(1, rows + 1)
        ),
    )
    connection.executemany("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", [(1, "Author", authors), (2, "Book", rows)])
    hashes = {
        entity["name"]: bytes.fromhex(entity["hash"])
        for entity in json.loads(output(tool, "hash", model, "--format", "json"))["entities"]
    }
    metadata = plistlib.dumps({"NSStoreModelVersionHashes": hashes}, fmt=plistlib.FMT_BINARY)
    connection.execute("INSERT INTO Z_METADATA VALUES (1, '00000000-0000-4000-8000-000000000000', ?)", (metadata,))
    connection.commit()
    connection.close()


def by_hand(path, source, schema, statements):
    """Creates a database with the tables and indexes of a schema, and fills it."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("PRAGMA page_size=4096; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;" + schema)
    connection.execute("ATTACH ? AS source", (source,))
    connection.execute("BEGIN")
    for statement in statements:
        connection.execute(statement)
    connection.execute("COMMIT")
    connection.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    tool = os.path.abspath(arguments.tool)
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "Library.xcdatamodeld")
        version = os.path.join(model, "Library.xcdatamodel")
        os.makedirs(version)
        with open(os.path.join(version, "contents"), "w", encoding="utf-8") as file:
            file.write(MODEL)
        apple, native, result = (os.path.join(folder, name) for name in ("apple", "native", "result"))
        make_store(apple, tool, model, arguments.rows)
        subprocess.run([tool, "import", apple, "--model", model, "--output", native], check=True, capture_output=True)
        contests = {
            "import": [
                ("chordata", lambda: output(tool, "import", apple, "--model", model, "--output", result)),
                ("by hand", lambda schema=output(tool, "schema", model): by_hand(result, apple, schema, IMPORT)),
            ],
            "export": [
                ("chordata", lambda: output(tool, "export", native, "--new", result, "--model", model)),
                ("by hand", lambda schema=output(tool, "schema", model, "--core-data"): by_hand(result, native, schema, EXPORT)),
            ],
        }
        report = []
        print(f"{arguments.rows} books, {max(arguments.rows // 10, 1)} authors; seconds: median (minimum to maximum)")
        for name, contestants in contests.items():
            seconds = {contestant: [] for contestant, _ in contestants}
            for _ in range(arguments.rounds):
                for contestant, convert in contestants:
                    start = time.monotonic()
                    convert()
                    seconds[contestant].append(time.monotonic() - start)
                    os.remove(result)
            medians = {contestant: statistics.median(values) for contestant, values in seconds.items()}
            for contestant, values in seconds.items():
                ratio = medians[contestant] / medians["by hand"]
                print(f"{name:8}{contestant:10}{medians[contestant]:7.2f} ({min(values):.2f} to {max(values):.2f})   {ratio:.2f} ×")
                report.append({"workload": name, "contestant": contestant, "seconds": values, "ratio": ratio})
        if arguments.json:
            with open(arguments.json, "w", encoding="utf-8") as file:
                json.dump(report, file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
