#!/usr/bin/env python3
"""Runs real models through Chordata: reads every bundle, generates every version, compares counts with an independent
reader, type-checks every version, and round-trips objects through stores for a sample.

usage: check.py FOLDER [--sample N]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import roundtrip  # noqa: E402
import xmlmodel  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", env=ENVIRONMENT, **options)


def short(path, root):
    return os.path.relpath(path, root)


def model_type(bundle):
    name = re.sub(r"\.xcdatamodeld?$", "", os.path.basename(bundle))
    name = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if name[:1].isdigit():
        name = "_" + name
    return name if name.endswith("Model") else name + "Model"


def generate(tool, bundle, version, folder):
    shutil.rmtree(folder, ignore_errors=True)
    result = run([tool, "generate", bundle, "--version", version, "--output", folder], timeout=120)
    return errors(result.stderr) if result.returncode else None


def format_round_trip(tool, bundle, folder):
    """Formats a copy of a bundle: nothing of it may have changed, and formatting it again may change no byte."""
    copy = os.path.join(folder, os.path.basename(bundle))
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(bundle, copy)
    for directory, _, names in os.walk(copy):
        for name in names:
            os.chmod(os.path.join(directory, name), 0o644)
    first = run([tool, "format", copy], timeout=120)
    if first.returncode:
        return [("format", errors(first.stderr))]
    found = []
    again = run([tool, "format", "--check", copy], timeout=120)
    if again.returncode or again.stdout:
        found.append(("format", "the second time changes " + again.stdout))
    for contents in xmlmodel.versions(bundle).values():
        other = os.path.join(folder, os.path.relpath(contents, os.path.dirname(bundle)))
        compared = run([tool, "diff", "--format", "json", contents, other], timeout=120)
        if compared.returncode or json.loads(compared.stdout)["changes"]:
            found.append(("format", f"changed {contents}: {compared.stdout}{errors(compared.stderr)}"))
        elif xmlmodel.everything(contents) != xmlmodel.everything(other):
            found.append(("format", f"lost something of {contents}"))
    return found


def errors(text):
    """The errors among diagnostics."""
    lines = [line for line in text.splitlines() if "error:" in line]
    return "\n".join(lines or text.splitlines()[-3:])


def typecheck(contents, folder, bin_path):
    """Type-checks generated code; the users' classes of codegen 'category' and their types are supplied."""
    found = xmlmodel.entities(contents)
    classes = xmlmodel.class_names(found)
    stubs = [f"class {classes[e.name]}: _{classes[e.name]} {{}}" for e in found if e.codegen == "category"]
    stubs += xmlmodel.user_types(contents)
    with open(os.path.join(folder, "Stubs.swift"), "w", encoding="utf-8") as file:
        file.write("\n".join(stubs) + "\n")
    files = sorted(os.path.join(folder, n) for n in os.listdir(folder))
    result = run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-module-name",
         "Generated", "-I", os.path.join(bin_path, "Modules"), "-Xcc",
         "-fmodule-map-file=" + os.path.join(bin_path, "CChordataSQLite.build/module.modulemap")] + files,
        timeout=600)
    return None if result.returncode == 0 else "\n".join(
        line for line in result.stderr.splitlines() if "error:" in line)[:2000]


def round_trips(bundles, work):
    """Builds one package with a program per bundle and runs them."""
    package = os.path.join(work, "RoundTrips")
    os.makedirs(package)
    targets = []
    failures = []
    for index, bundle in enumerate(bundles):
        name = f"RoundTrip{index}"
        source = os.path.join(package, "Sources", name)
        os.makedirs(source)
        model = os.path.basename(bundle)
        shutil.copytree(bundle, os.path.join(source, model))
        current = xmlmodel.versions(bundle)[xmlmodel.current(bundle)]
        with open(os.path.join(source, "main.swift"), "w", encoding="utf-8") as file:
            file.write(roundtrip.program(current, model_type(bundle)))
        targets.append(
            f'.executableTarget(name: "{name}", dependencies: [.product(name: "Chordata", package: "chordata")], '
            f'exclude: ["{model}"], plugins: [.plugin(name: "ChordataGenerate", package: "chordata")])')
    with open(os.path.join(package, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            'let package = Package(name: "RoundTrips", platforms: [.macOS(.v15)], '
            f'dependencies: [.package(name: "chordata", path: "{ROOT}")],\n'
            f"targets: [\n{','.join(targets)}\n], swiftLanguageModes: [.v5])\n")
    print(f"building {len(bundles)} round trips", flush=True)
    passed = 0
    built = run(["swift", "build", "--package-path", package, "--scratch-path", os.path.join(work, "build")],
                timeout=1500)
    bin_path = run(["swift", "build", "--package-path", package, "--scratch-path", os.path.join(work, "build"),
                    "--show-bin-path"], timeout=300).stdout.strip()
    for index, bundle in enumerate(bundles):
        program = os.path.join(bin_path, f"RoundTrip{index}")
        if not os.path.exists(program):
            # One that does not build stops the others; say why, and try it by itself.
            built = run(["swift", "build", "--package-path", package, "--scratch-path", os.path.join(work, "build"),
                         "--product", f"RoundTrip{index}"], timeout=600)
            if not os.path.exists(program):
                errors = [l for l in (built.stdout + built.stderr).splitlines() if "error:" in l]
                failures.append((bundle, "does not build: " + "\n".join(errors[:5])))
                continue
        result = run(["timeout", "60", program, os.path.join(work, f"{index}.sqlite")])
        if result.returncode == 0 and result.stdout.startswith("OK"):
            passed += 1
        else:
            failures.append((bundle, (result.stdout + result.stderr)[-600:]))
    return passed, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--sample", type=int, default=20)
    options = parser.parse_args()
    bundles = xmlmodel.bundles(options.folder)
    if not bundles:
        sys.exit(f"error: there is no model in {options.folder}")
    # With the flags of `Scripts/test`, so that nothing is built twice.
    built = run(["swift", "build", "--package-path", ROOT, "-Xswiftc", "-warnings-as-errors"], timeout=1500)
    if built.returncode:
        sys.exit(built.stdout + built.stderr)
    bin_path = run(["swift", "build", "--package-path", ROOT, "--show-bin-path"]).stdout.strip()
    # Every version of every bundle is generated: that wants the tool optimised.
    release = ["swift", "build", "--package-path", ROOT, "-c", "release", "--product", "chordata"]
    built = run(release, timeout=1500)
    if built.returncode:
        sys.exit(built.stdout + built.stderr)
    tool = os.path.join(run(release + ["--show-bin-path"]).stdout.strip(), "chordata")
    work = tempfile.mkdtemp(prefix="chordata-corpus-")
    failures = []
    totals = dict(read=0, formatted=0, versions=0, agreed=0, checked=0)
    good = []

    def one(item):
        index, bundle = item
        found = []
        validated = run([tool, "validate", bundle], timeout=300)
        if validated.returncode:
            found.append(("validate", errors(validated.stderr)))
        formatted = format_round_trip(tool, bundle, os.path.join(work, f"{index}-formatted"))
        found += formatted
        agreed = 0
        checked = set()
        versions = xmlmodel.versions(bundle)
        for version, contents in versions.items():
            folder = os.path.join(work, f"{index}-version")
            problem = generate(tool, bundle, version, folder)
            if problem:
                found.append((f"generate '{version}'", problem))
                continue
            expected, actual = xmlmodel.counts(contents), xmlmodel.generated_counts(folder)
            if expected == actual:
                agreed += 1
            else:
                found.append((f"count '{version}'", f"the file has {expected}, the generated code {actual}"))
            problem = typecheck(contents, folder, bin_path)
            if problem:
                found.append((f"type-check '{version}'", problem))
            else:
                checked.add(version)
        return bundle, found, agreed, len(versions), validated.returncode == 0, not formatted, checked

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for bundle, found, agreed, count, is_read, is_formatted, checked in pool.map(one, enumerate(bundles)):
            totals["read"] += is_read
            totals["formatted"] += is_formatted
            totals["versions"] += count
            totals["agreed"] += agreed
            totals["checked"] += len(checked)
            failures += [(bundle, f"{stage}: {text}") for stage, text in found]
            if xmlmodel.current(bundle) in checked:
                good.append(bundle)

    for bundle, text in failures:
        print(f"FAILED {short(bundle, options.folder)}: {text}", flush=True)

    # The largest models, and others spread over the rest.
    by_size = sorted(good, key=lambda b: -xmlmodel.counts(xmlmodel.versions(b)[xmlmodel.current(b)])[1])
    half = options.sample // 2
    rest = by_size[half:]
    step = max(1, len(rest) // max(1, options.sample - half))
    sample = by_size[:half] + rest[::step][: options.sample - half]
    passed, failed = round_trips(sample, work)
    for bundle, text in failed:
        print(f"FAILED {short(bundle, options.folder)}: round trip: {text}")
    print(f"corpus: {totals['read']} of {len(bundles)} bundles are valid")
    print(f"corpus: {totals['formatted']} of {len(bundles)} bundles are the same after 'format', and formatted for good")
    print(f"corpus: {totals['agreed']} of {totals['versions']} versions agree with the independent count")
    print(f"corpus: {totals['checked']} of {totals['versions']} versions type-check")
    print(f"corpus: {passed} of {len(sample)} round trips")
    shutil.rmtree(work)
    if failures or passed < len(sample):
        sys.exit("error: a real model is not valid, not the same after it was formatted, not generated, or lost something")


main()
