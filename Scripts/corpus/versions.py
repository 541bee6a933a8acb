"""What is checked of each version of a bundle: that it is read, formatted without loss, generated with all of its parts,
and that the generated code type-checks."""

import json
import os
import shutil

import xmlmodel
from commands import errors, run


def generate(tool, bundle, version, folder, access="internal"):
    shutil.rmtree(folder, ignore_errors=True)
    result = run([tool, "generate", bundle, "--version", version, "--output", folder, "--access", access], timeout=120)
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


def typecheck(contents, folder, runtime):
    """Type-checks generated code; the users' classes of codegen 'category' and their types are supplied."""
    stubs = xmlmodel.user_classes(xmlmodel.entities(contents)) + xmlmodel.user_types(contents)
    with open(os.path.join(folder, "Stubs.swift"), "w", encoding="utf-8") as file:
        file.write("\n".join(stubs) + "\n")
    files = sorted(os.path.join(folder, n) for n in os.listdir(folder))
    result = run(["swiftc", "-typecheck", "-module-name", "Generated", *runtime.options, *files], timeout=600)
    return errors(result.stderr) if result.returncode else None


class Result:
    """What was found out about a bundle."""

    def __init__(self, bundle):
        self.bundle = bundle
        self.failures = []
        self.versions = 0
        self.agreed = 0
        self.is_read = False
        self.is_formatted = False
        # The versions whose code type-checks.
        self.checked = set()

    def fail(self, stage, text):
        self.failures.append(f"{stage}: {text}")


def check_bundle(tool, bundle, folder, runtime):
    """Checks a bundle; the folder is made and used for scratch."""
    result = Result(bundle)
    validated = run([tool, "validate", bundle], timeout=300)
    result.is_read = validated.returncode == 0
    if not result.is_read:
        result.fail("validate", errors(validated.stderr))
    formatted = format_round_trip(tool, bundle, os.path.join(folder, "formatted"))
    result.is_formatted = not formatted
    for stage, text in formatted:
        result.fail(stage, text)
    for version, contents in xmlmodel.versions(bundle).items():
        result.versions += 1
        generated = os.path.join(folder, "version")
        problem = generate(tool, bundle, version, generated)
        if problem:
            result.fail(f"generate '{version}'", problem)
            continue
        expected, actual = xmlmodel.counts(contents), xmlmodel.generated_counts(generated)
        if expected == actual:
            result.agreed += 1
        else:
            result.fail(f"count '{version}'", f"the file has {expected}, the generated code {actual}")
        problem = typecheck(contents, generated, runtime)
        if problem:
            result.fail(f"type-check '{version}'", problem)
        else:
            result.checked.add(version)
    return result
