#!/usr/bin/env python3
"""What a program costs to compile that adopts Chordata: the same small program on Chordata with the build plugin, with the plugin and
a generator that `Scripts/artifact-bundle` built before, with its generated code checked in, and on GRDB, one after the other in one run.

usage: measure.py [--json FILE] [--rounds N] [--only NAME]

CPU seconds are user and system time of `swift build` and all it starts, after the dependencies are resolved. 'clean' has an empty build
folder, 'change' follows an edit of the program's only source. With several rounds the figures are medians.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ORIGINALS = os.path.join(ROOT, "Tests", "Packages", "Adopters")
# Beside the originals and at the same depth, so that relative paths refer to the same places.
COPIES = os.path.join(ROOT, "Tests", "Packages", ".build-Adopters")
NAMES = ["Plugin", "Prebuilt", "CheckedIn", "OnGRDB"]
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")
for variable in ["CHORDATA_GENERATOR", "CHORDATA_OPTIMIZED_TOOLS", "CHORDATA_WARNINGS_AS_ERRORS"]:
    ENVIRONMENT.pop(variable, None)
BUNDLE = os.path.join(COPIES, "chordata-generate.artifactbundle")


def run(*command, cwd):
    result = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode:
        sys.exit(f"error: {' '.join(command)} failed in {cwd}:\n{result.stdout[-4000:]}")
    return result.stdout


def cpu_seconds(*command, cwd):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*command, cwd=cwd)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def copy(name):
    folder = os.path.join(COPIES, name)
    shutil.rmtree(folder, ignore_errors=True)
    original = "Plugin" if name == "Prebuilt" else name
    shutil.copytree(os.path.join(ORIGINALS, original), folder, ignore=shutil.ignore_patterns(".build*", "Package.resolved"))
    if name == "CheckedIn":
        check_in(folder)
    return folder


def check_in(folder):
    """Copies the program of 'Plugin' and the code that its build generated."""
    sources = os.path.join(folder, "Sources", "App")
    plugin = os.path.join(COPIES, "Plugin")
    shutil.copy(os.path.join(ORIGINALS, "Plugin", "Sources", "App", "main.swift"), sources)
    outputs = os.path.join(plugin, ".build", "plugins", "outputs")
    found = [os.path.join(above, name) for above, _, names in os.walk(outputs) for name in names if name.endswith(".swift")]
    if not found:
        sys.exit(f"error: the build of 'Plugin' left no generated code in {outputs}")
    for path in found:
        shutil.copy(path, sources)


def measure(name):
    folder = copy(name)
    if name == "Prebuilt":
        ENVIRONMENT["CHORDATA_GENERATOR"] = BUNDLE
    else:
        ENVIRONMENT.pop("CHORDATA_GENERATOR", None)
    figures = {}
    for configuration in ["debug", "release"]:
        run("swift", "package", "resolve", cwd=folder)
        build = ["swift", "build", "-c", configuration]
        figures[f"{configuration} clean"] = cpu_seconds(*build, cwd=folder)
        with open(os.path.join(folder, "Sources", "App", "main.swift"), "a", encoding="utf-8") as file:
            file.write(f"print(\"{configuration}\")\n")
        figures[f"{configuration} change"] = cpu_seconds(*build, cwd=folder)
        products = os.path.join(folder, ".build", configuration)
        if configuration == "debug":
            figures["files in .build"] = sum(len(names) for _, _, names in os.walk(os.path.join(folder, ".build")))
        output = run(os.path.join(products, "App"), ":memory:" if name != "OnGRDB" else os.path.join(folder, "store.sqlite"),
                     cwd=folder)
        if not output.startswith("Player 0, Player 1, Player 10"):
            sys.exit(f"error: the program of '{name}' prints {output[:200]!r}")
        if os.path.exists(os.path.join(folder, "store.sqlite")):
            os.remove(os.path.join(folder, "store.sqlite"))
    stripped = os.path.join(folder, "App.stripped")
    run("strip", "-o", stripped, os.path.join(products, "App"), cwd=folder)
    figures["stripped KB"] = os.path.getsize(stripped) / 1024
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", choices=NAMES)
    options = parser.parse_args()
    rounds = {name: [] for name in NAMES if options.only in (None, name)}
    if "Prebuilt" in rounds:
        run(os.path.join(ROOT, "Scripts", "artifact-bundle"), COPIES, cwd=ROOT)
    for _ in range(options.rounds):
        for name in rounds:
            rounds[name].append(measure(name))
            print(f"{name}: {rounds[name][-1]}", flush=True)
    medians = {name: {key: statistics.median(figures[key] for figures in found) for key in found[0]}
               for name, found in rounds.items()}
    keys = list(next(iter(medians.values())))
    print(f"{'CPU seconds, sizes':20}" + "".join(f"{name:>12}" for name in medians))
    for key in keys:
        print(f"{key:20}" + "".join(f"{figures[key]:12.1f}" for figures in medians.values()))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"contestant": name, "figure": key, "value": value} for name, figures in medians.items()
                       for key, value in figures.items()], file, indent=1)


main()
