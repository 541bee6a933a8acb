#!/usr/bin/env python3
"""The Done list in two browsers and a terminal at once: what is edited in one of them moves in the others.

usage: check.py DONEWEB, the built server
"""

import json
import os
import socket
import sys
import tempfile
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
from package import Failure, expect  # noqa: E402
from terminal import Terminal  # noqa: E402
from webdriver import Browser, Driver  # noqa: E402

# The contents of a browser: each section's title, and its rows.
SHOWN = """
    return [...document.querySelectorAll("section")].map((section) => [
        section.querySelector("h2").textContent,
        ...[...section.querySelectorAll("li")].map((row) => row.children[1].value),
    ]);
"""


def row(name):
    """Marks a row, so that a selector finds it."""
    return f"""
        for (const row of document.querySelectorAll("li")) {{
            row.toggleAttribute("data-wanted", row.children[1].value === {json.dumps(name)});
        }}
    """


def check(server):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(server, str(port), os.path.join(folder, "done.sqlite"))
        expect(terminal.wait("Nothing to do."), f"the server shows {terminal.screen}")
        driver = Driver()
        try:
            first, second = Browser(driver, url), Browser(driver, url)
            play(terminal, first, second, url)
            first.end()
            second.end()
            expect(terminal.end() == 0, f"the server ended with an error: {terminal.screen}")
        finally:
            driver.end()
            terminal.process.kill()


def play(terminal, first, second, url):
    def expect_everywhere(*sections):
        wanted = [list(section) for section in sections]
        for name, browser in (("first", first), ("second", second)):
            expect(browser.wait(SHOWN, wanted), f"the {name} browser shows {browser.run(SHOWN)}, not {wanted}")
        lines, number = [], 0
        for title, *names in wanted:
            lines.append(title)
            for name in names:
                number += 1
                lines.append(f"  {number}. {name}")
        expect(terminal.wait(*lines, "--"), f"the terminal shows {terminal.screen}, not {lines}")
        with urllib.request.urlopen(url + "/list", timeout=30) as response:
            sections = json.load(response)["sections"]
        served = [[section["title"], *(item["name"] for item in section["items"])] for section in sections]
        expect(served == wanted, f"the server has {served}")

    # Items are added in one browser, in the other, and in the terminal.
    first.type("#name", "Call home")
    first.click("form button")
    expect_everywhere(["To do", "Call home"])
    second.type("#name", "Write a letter")
    second.click("form button")
    terminal.type("add Buy milk")
    expect_everywhere(["To do", "Buy milk", "Call home", "Write a letter"])

    # An item is ticked in the first browser: its row moves to a new section in the second, and is still the same
    # element there.
    second.run(row("Call home") + "document.querySelector('[data-wanted]').mark = 'kept';")
    first.run(row("Call home"))
    first.click("[data-wanted] input[type=checkbox]")
    expect_everywhere(["To do", "Buy milk", "Write a letter"], ["Done", "Call home"])
    moved = second.run("const row = document.querySelector('[data-wanted]'); return [row.mark, row.children[0].checked];")
    expect(moved == ["kept", True], f"the row was not moved but made anew: {moved}")

    # An item is renamed in the second browser: it moves within its section in the first.
    second.run(row("Buy milk"))
    second.type("[data-wanted] input[type=text]", "Zip the bag\n")
    expect_everywhere(["To do", "Write a letter", "Zip the bag"], ["Done", "Call home"])

    # In the terminal: when the last item of a section moves, the section disappears.
    terminal.type("done 3")
    expect_everywhere(["To do", "Call home", "Write a letter", "Zip the bag"])
    terminal.type("delete 1")
    first.run(row("Zip the bag"))
    first.click("[data-wanted] input[type=checkbox]")
    expect_everywhere(["To do", "Write a letter"], ["Done", "Zip the bag"])

    # A browser that opens the page later shows the same list.
    second.open(url)
    expect_everywhere(["To do", "Write a letter"], ["Done", "Zip the bag"])
    for name in ("Write a letter", "Zip the bag"):
        second.run(row(name))
        second.click("[data-wanted] button")
    expect(first.wait(SHOWN, []) and second.wait(SHOWN, []), "rows are left")
    expect(terminal.wait("Nothing to do."), f"the terminal shows {terminal.screen}")


try:
    check(sys.argv[1])
except Failure as failure:
    sys.exit(f"error: {failure}")
print("two browsers and a terminal: what is edited in one moves in the others")
