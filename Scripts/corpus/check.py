#!/usr/bin/env python3
"""Runs real models through Chordata: reads and formats every bundle, generates every version, compares counts with an
independent reader, type-checks every version, migrates stores of every version; and of every bundle's current version it
inserts, saves, reads and compares objects with all properties, and calls every generated function.

usage: check.py FOLDER [--skips N]
"""

import argparse
import os
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import migrations  # noqa: E402
import roundtrip  # noqa: E402
import versions  # noqa: E402
import xmlmodel  # noqa: E402
from commands import ROOT, Runtime, run  # noqa: E402


def build():
    """The runtime, and the tool optimised, because it generates every version of every bundle."""
    # With the flags of `Scripts/test`, so that nothing is built twice.
    debug = ["swift", "build", "--package-path", ROOT]
    release = debug + ["-c", "release", "--product", "chordata"]
    for command in [debug + ["-Xswiftc", "-warnings-as-errors"], release]:
        built = run(command, timeout=1500)
        if built.returncode:
            sys.exit(built.stdout + built.stderr)
    tool = os.path.join(run(release + ["--show-bin-path"]).stdout.strip(), "chordata")
    return Runtime(run(debug + ["--show-bin-path"]).stdout.strip()), tool


def check_versions(tool, bundles, work, runtime):
    """Checks all versions; gives the results."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        folders = [os.path.join(work, f"versions{number}") for number in range(len(bundles))]
        return list(pool.map(lambda item: versions.check_bundle(tool, item[0], item[1], runtime), zip(bundles, folders)))


def check_migrations(tool, paths, work):
    """Checks the migrations of bundles; their paths in the corpus say which they are."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return list(pool.map(lambda item: migrations.check_bundle(tool, *item, os.path.join(work, "last")), paths.items()))


def print_round_trips(trips, count):
    """Prints what the round trips did in all; gives what they skipped."""
    totals = {}
    for trip in trips:
        for name, number in trip.counts.items():
            totals[name] = totals.get(name, 0) + number
    skipped = [(trip.bundle, reason) for trip in trips for reason in trip.skipped]
    passed = sum(not trip.failures for trip in trips)
    print(f"corpus: {passed} of {count} bundles: {totals.get('entities', 0)} entities, {totals.get('properties', 0)} "
          f"properties set and compared, {totals.get('functions', 0)} functions called, {len(skipped)} skipped "
          f"({totals.get('comparisons', 0)} comparisons)")
    return skipped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--skips", type=int, default=0, help="how many things cannot be tried in a round trip")
    options = parser.parse_args()
    bundles = xmlmodel.bundles(options.folder)
    if not bundles:
        sys.exit(f"error: there is no model in {options.folder}")
    # An end from outside removes what was made, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("error: ended from outside"))
    runtime, tool = build()
    with tempfile.TemporaryDirectory(prefix="chordata-corpus-") as work:
        originals = {bundle: os.path.relpath(bundle, options.folder) for bundle in bundles}
        paths = {migrations.accepting(bundle, path, os.path.join(work, "accepting")): path
                 for bundle, path in originals.items()}
        bundles = list(paths)
        results = check_versions(tool, bundles, work, runtime)
        migrated = check_migrations(tool, paths, work)
        unlike = migrations.check_oracles(tool, options.folder, os.path.join(work, "pairs"))
        unmapped = migrations.check_mappings(tool, options.folder, work, runtime)
        good = [result.bundle for result in results if xmlmodel.current(result.bundle) in result.checked]
        trips, problem = roundtrip.round_trips(good, runtime, work, lambda *which: versions.generate(tool, *which))

    failures = [(result.bundle, text) for result in results for text in result.failures]
    failures += [(bundle, text) for bundle, result in zip(bundles, migrated) for text in result.failures]
    failures += [(trip.bundle, "round trip: " + text) for trip in trips for text in trip.failures]
    failures = [(paths.get(bundle, bundle), text) for bundle, text in failures]
    failures += [(os.path.relpath(path, options.folder), "migrate mapping: " + text) for path, text in unmapped] + unlike
    for path, text in failures:
        print(f"FAILED {path}: {text}")
    count = len(bundles)
    total = sum(result.versions for result in results)
    print(f"corpus: {sum(r.is_read for r in results)} of {count} bundles are valid")
    print(f"corpus: {sum(r.is_formatted for r in results)} of {count} bundles are the same after 'format', and formatted "
          "for good")
    print(f"corpus: {sum(r.agreed for r in results)} of {total} versions agree with the independent count")
    print(f"corpus: {sum(len(r.checked) for r in results)} of {total} versions type-check")
    unexpected = migrations.summarize(migrated, options.folder)
    skipped = print_round_trips(trips, count)
    for bundle, reason in skipped:
        print(f"SKIPPED {paths.get(bundle, bundle)}: {reason}")
    if problem:
        sys.exit(f"error: the round trips do not build: {problem}")
    if len(skipped) != options.skips:
        sys.exit(f"error: {len(skipped)} things could not be tried, instead of {options.skips}")
    if unexpected:
        sys.exit(f"error: {unexpected}")
    if failures:
        sys.exit("error: a real model is not valid, not the same after it was formatted, not generated, not migrated, or lost "
                 "something")


main()
