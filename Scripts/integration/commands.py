"""`swift package chordata`, for an app whose generated code is checked in."""

import os
import re

from edits import FIRST, FOLDER, MODEL, THINGS
from package import expect

GENERATED = f"{FOLDER}/Generated"


def run(package, *arguments, permission=True):
    flags = ["--allow-writing-to-package-directory"] if permission else []
    return package.swift("package", *flags, "chordata", *arguments)


def succeed(package, *arguments):
    result = run(package, *arguments)
    expect(result.returncode == 0, "the command failed", result)
    return result.stdout


def fail(package, code, *arguments):
    """Runs a command that must fail: SwiftPM has an exit code of its own, and names the tool's."""
    result = run(package, *arguments)
    expect(result.returncode != 0, "the command did not fail", result)
    expect(f"error: Plugin ended with exit code {code}\n" in result.stdout, f"not exit code {code}", result)
    return result.stdout


def permission_is_asked(package):
    result = run(package, "validate", MODEL, permission=False)
    expect(result.returncode != 0, "no permission was needed", result)
    expect("--allow-writing-to-package-directory" in result.stdout, "the option is not named", result)


def the_command_line_is_whole(package):
    commands = re.findall(r"^  ([a-z]+)  ", succeed(package, "--help"), re.MULTILINE)
    expect({"generate", "validate", "format", "graph", "diff", "schema"} <= set(commands), f"only {commands}")
    succeed(package, "validate", MODEL)
    expect('CREATE TABLE "Note"' in succeed(package, "schema", MODEL), "no schema")
    fail(package, 64, "nonsense")


def code_is_checked_in(package):
    package.write(f"{FOLDER}/Deep/My Things.xcdatamodeld/My Things.xcdatamodel/contents", THINGS)
    package.replace("Package.swift", 'app("Notes")', 'app("Notes", models: ["Notes", "Deep/My Things"])')
    # Without the build plugin.
    package.replace("Package.swift", "plugins: generated()\n    )\n}", 'plugins: name == "Notes" ? [] : generated()\n    )\n}')
    generate = ["generate", "--target", "NotesApp", "--output", GENERATED]
    names = ["My Things+Entities0.swift", "My Things.swift", "Notes+Entities0.swift", "Notes.swift"]

    said = fail(package, 2, *generate, "--check")
    for name in names:
        expect(f"{GENERATED}/{name}\n" in said, f"'{name}' is not among:\n{said}")
    expect(not os.path.exists(package.path(GENERATED)), "--check has written")
    succeed(package, *generate)
    expect(sorted(os.listdir(package.path(GENERATED))) == names, "not all was generated")
    succeed(package, *generate, "--check")
    package.build()
    expect(package.run("NotesApp") == "Notes: 1\n", "the app does not work")


def checks_fail_when_code_is_old(package):
    package.replace(FIRST, 'name="Tag" representedClassName="Tag"', 'name="Label" representedClassName="Label"')
    said = fail(package, 2, "generate", MODEL, "--output", GENERATED, "--check")
    expect(f"{GENERATED}/Notes+Entities0.swift\n" in said and "My Things" not in said, f"not the right files:\n{said}")


def a_mistake_has_its_place(package):
    package.replace(FIRST, 'attributeType="String"', 'attributeType="Text"')
    said = fail(package, 1, "validate", "--target", "NotesApp")
    expect(f"{package.path(FIRST)}:4:47: error: " in said, f"no place in:\n{said}")


def targets_that_are_none(package):
    expect("no target named 'Nowhere'" in targetless(package, "Nowhere"), "not said what is wrong")
    expect("error: no model in target 'Checks'" in targetless(package, "Checks"), "not said what is wrong")


def targetless(package, name):
    result = run(package, "validate", "--target", name)
    expect(result.returncode != 0, "the command did not fail", result)
    return result.stdout.replace("‘", "'").replace("’", "'")


COMMANDS = [
    permission_is_asked,
    the_command_line_is_whole,
    code_is_checked_in,
    checks_fail_when_code_is_old,
    a_mistake_has_its_place,
    targets_that_are_none,
]
