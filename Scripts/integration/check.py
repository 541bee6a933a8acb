#!/usr/bin/env python3
"""Builds the integration package as its users would: its apps, edits to one of them, and the command plugins.

usage: check.py [quick|native|swiftbuild]...

'quick' builds with the native build system, in the build folder of the library, and makes a few edits. 'native' makes all of them,
runs the command plugins, and turns on the traits; 'swiftbuild' makes some of the edits with the other build system. The default is
the last two.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import commands  # noqa: E402
import edits  # noqa: E402
from package import Failure, Package, expect  # noqa: E402
from terminal import Terminal  # noqa: E402

APPS = ["DoneApp", "LeagueApp", "AddressBookApp", "UploadsApp", "LibraryApp", "IsolatedApp", "FiveApp"]

PUBLIC_APPS = {
    "CatalogApp": "Catalog: 2 articles",
    "LedgerApp": "Ledger: to Baker, entry",
    "StallApp": "Stall: Plums",
}


def apps(package):
    package.build(product=None)
    for app in APPS:
        expect(package.run(app), f"{app} says nothing")


def a_terminal_shows_the_list(package):
    terminal = Terminal(package.program("DoneTerminalApp"))
    for command, *lines in [
        ("", "Nothing to do."),
        ("add Write a letter", "To do", "  1. Write a letter", "--"),
        ("add Buy milk", "To do", "  1. Buy milk", "  2. Write a letter", "--"),
        ("done 1", "To do", "  1. Write a letter", "Done", "  2. Buy milk", "--"),
        ("done 1", "Done", "  1. Buy milk", "  2. Write a letter", "--"),
        ("rename 1 Zip the bag", "Done", "  1. Write a letter", "  2. Zip the bag", "--"),
        ("delete 2", "Done", "  1. Write a letter", "--"),
        ("delete 1", "Nothing to do."),
    ]:
        terminal.type(command)
        expect(terminal.wait(*lines), f"after '{command}' the screen has {terminal.screen}")
    terminal.type("delete 7")
    expect(terminal.wait("Nothing to do.", "add NAME, done NUMBER, rename NUMBER NAME, delete NUMBER, quit"), "no usage")
    expect(terminal.end() == 0, "the terminal ended with an error")


QUICK_EDITS = [
    edits.nothing_changes,
    edits.touched_files,
    edits.an_attribute_is_added,
    edits.a_mistake_is_mended,
    edits.a_file_is_cut_off,
    edits.a_version_is_added,
    edits.the_new_version_counts,
    edits.an_entity_is_removed,
]

CHECKS = {
    "quick": ([apps, a_terminal_shows_the_list, *QUICK_EDITS],),
    "native": ([apps, a_terminal_shows_the_list, *edits.EDITS], commands.COMMANDS),
    "swiftbuild": ([apps, *edits.FEW_EDITS], [commands.code_is_checked_in]),
}


def main():
    for size in sys.argv[1:] or ["native", "swiftbuild"]:
        system = "native" if size == "quick" else size
        for checks in CHECKS[size]:
            package = Package(system)
            for check in checks:
                run(check, package)
        if size == "swiftbuild":
            # This build system builds everything again for each package.
            continue
        if size != "quick":
            os.environ["CHORDATA_TRAITS"] = "1"
        run(public_models, Package(system, "PublicAccess", has_own_library=size != "quick"))


def public_models(package):
    """Libraries whose generated code is public, and apps of other modules: one uses classes that are written by hand over
    generated storage, one has a model of its own with these classes."""
    package.build(product=None)
    for app, output in PUBLIC_APPS.items():
        expect(package.run(app) == output + "\n", f"{app} does not work")


def run(check, package):
    start = time.monotonic()
    try:
        check(package)
    except Failure as failure:
        sys.exit(f"error: {package.system}: {check.__name__}: {failure}")
    print(f"{package.system}: {check.__name__.replace('_', ' ')}, {time.monotonic() - start:.1f} s", flush=True)


main()
