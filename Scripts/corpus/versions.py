"""The checks of each version of a bundle: formatting loses nothing, generated code has all parts of the model, and it
type-checks."""

import json
import os
import shutil

import bundlefiles
import generated
import stubs
import xmlmodel
from commands import run


def validate(tool, bundle):
    """Validates a bundle; returns the errors if there are any."""
    result = run([tool, "validate", bundle], timeout=300)
    return result.errors() if result.failed else None


def generate(tool, bundle, version, folder, access="internal"):
    """Generates a version; returns the errors if there are any."""
    shutil.rmtree(folder, ignore_errors=True)
    # Generation compares all versions, so that it takes longer in a debug build of the tool.
    result = run([tool, "generate", bundle, "--version", version, "--output", folder, "--access", access], timeout=300)
    return result.errors() if result.failed else None


def format_round_trip(tool, bundle, folder, compared):
    """Formats a copy of a bundle: its versions must have the same elements as before, and formatting it again may change no
    byte. The tool compares the models of the versions in `compared`, too. Returns what is wrong."""
    copy = os.path.join(folder, os.path.basename(bundle))
    shutil.rmtree(folder, ignore_errors=True)
    bundlefiles.copy(bundle, copy)
    first = run([tool, "format", copy], timeout=300)
    if first.failed:
        return [first.errors()]
    found = []
    again = run([tool, "format", "--check", copy], timeout=300)
    if again.failed or again.stdout:
        found.append(f"the second time changes {again.stdout or again.errors()}")
    for name, contents in bundlefiles.versions(bundle).items():
        other = os.path.join(folder, os.path.relpath(contents, os.path.dirname(bundle)))
        if xmlmodel.everything(contents) != xmlmodel.everything(other):
            found.append(f"lost something of {contents}")
        elif name in compared:
            pair = [contents, other]
            if validate(tool, contents) is not None:
                # This is an older version with an invalid fetch request, which is an error in a model that is not one
                # version of many.
                pair = [os.path.join(folder, name) for name in ["before.xcdatamodel", "after.xcdatamodel"]]
                for source, destination in zip([contents, other], pair):
                    os.makedirs(destination, exist_ok=True)
                    bundlefiles.copy_without_fetch_requests(source, os.path.join(destination, "contents"))
            difference = run([tool, "diff", "--format", "json", *pair], timeout=120)
            if difference.failed or json.loads(difference.stdout)["changes"]:
                found.append(f"changed {contents}: {difference.stdout}{difference.errors() if difference.failed else ''}")
    return found


def check_counts(contents, code):
    """Compares the counts of a file with those of its generated code; returns what differs."""
    expected, actual = xmlmodel.Model(contents, code).counts(), generated.counts(code)
    return None if expected == actual else f"the file has {expected}, the generated code {actual}"


def type_check(contents, folder, builder):
    """Type-checks generated code; the users' classes of codegen 'category' and their types are supplied."""
    model = xmlmodel.Model(contents, generated.text(folder))
    modules = stubs.modules(model)
    builder.add_modules(modules)
    source = os.path.join(folder, "Stubs.swift")
    files = generated.files(folder)
    with open(source, "w", encoding="utf-8") as file:
        file.write("\n".join(stubs.all_of(model, "public ")) + "\n")
    return builder.type_check(files + [source], is_strict=not modules)
