#!/usr/bin/env python3
"""Compares the tests that a run has skipped with a file.

usage: Scripts/support/skipped_tests.py FILE EVENTS LOG

EVENTS is the event stream of the run, and LOG its output, in which a test that skips some of its arguments has written a line
'skipped case: TEST: REASON'. With CHORDATA_RECORD=1 the file is written. The last line is 'N passed, N failed'.
"""

import json
import os
import re
import sys

HEADER = """\
# The tests that 'Scripts/postgres suites' skips, by the reason. A suite is listed instead of its tests.
# 'CHORDATA_RECORD=1 Scripts/postgres suites' writes this file.
"""


def short_id(test_id):
    """The names of a test without its place: 'ChordataTests.UndoTests/undo()'."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test_id)


def read_events(lines):
    """Returns the skipped tests with their reasons, the tests that have ended, and those that have failed."""
    skipped, ended, failed, functions = {}, set(), set(), set()
    for line in lines:
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test":
            if payload["kind"] == "function":
                functions.add(payload["id"])
            continue
        test_id = payload.get("testID")
        if payload["kind"] == "testSkipped":
            text = " ".join(message["text"] for message in payload["messages"])
            reason = re.search(r'skipped: "(.*)"$', text, re.S)
            skipped[short_id(test_id)] = reason.group(1) if reason else "without a reason"
        elif payload["kind"] == "testEnded":
            ended.add(test_id)
        elif payload["kind"] == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
            failed.add(test_id)
    return skipped, ended & functions, failed


def without_members(skipped):
    """Leaves out the tests of suites that are skipped for the same reason."""
    result = {}
    for test, reason in skipped.items():
        suites = [test[:index] for index, character in enumerate(test) if character == "/"]
        if not any(skipped.get(suite) == reason for suite in suites):
            result[test] = reason
    return result


def read_cases(lines):
    """The skipped cases of tests with arguments: those of the lines 'skipped case: TEST: REASON'."""
    cases = set()
    for line in lines:
        match = re.match(r"skipped case: (\S+): (.*)$", line.rstrip("\n"))
        if match:
            cases.add((short_id(match.group(1)), match.group(2)))
    return cases


def text(skipped, cases):
    """The content of the file."""
    by_reason = {}
    for test, reason in skipped.items():
        by_reason.setdefault(reason, set()).add(test)
    for test, reason in cases:
        by_reason.setdefault(reason, set()).add(test + " (in part)")
    lines = [HEADER]
    for reason in sorted(by_reason):
        lines.append("\n" + reason + "\n")
        lines += [f"    {test}\n" for test in sorted(by_reason[reason])]
    return "".join(lines)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    path, events, log = sys.argv[1:]
    with open(events, encoding="utf-8") as file:
        skipped, ended, failed = read_events(file)
    with open(log, encoding="utf-8", errors="replace") as file:
        cases = read_cases(file)
    found = text(without_members(skipped), cases)
    status = 0
    if os.environ.get("CHORDATA_RECORD") == "1":
        with open(path, "w", encoding="utf-8") as file:
            file.write(found)
        print(f"{path} was written; review the difference")
        status = 1
    else:
        with open(path, encoding="utf-8") as file:
            expected = file.read()
        for line in sorted(set(found.splitlines()) - set(expected.splitlines())):
            print(f"error: skipped, but not in {path}: {line.strip()}")
        for line in sorted(set(expected.splitlines()) - set(found.splitlines())):
            print(f"error: in {path}, but not skipped: {line.strip()}")
        if found != expected:
            print(f"error: {path} is not the list of the skipped tests; review it, and write it with CHORDATA_RECORD=1")
            status = 1
    bad = len(failed) + (1 if status else 0)
    print(f"{len(ended) - len(failed & ended)} passed, {bad} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
