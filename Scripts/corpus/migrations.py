"""The checks of the migrations of a bundle: which steps are inferred, and what a migration makes of stores of older versions."""

import json
import os
import plistlib
import shutil

import bundlefiles
from commands import run


def make_current(bundle, version):
    path = os.path.join(bundle, ".xccurrentversion")
    if os.path.exists(path):
        os.remove(path)
    with open(path, "wb") as file:
        plistlib.dump({"_XCCurrentVersionName": version + ".xcdatamodel"}, file)


def accepting(bundle, folder):
    """A copy of a bundle with a configuration that accepts a step that cannot be inferred."""
    copy = os.path.join(folder, os.path.basename(bundle))
    bundlefiles.copy(bundle, copy)
    with open(os.path.join(folder, "chordata.json"), "w", encoding="utf-8") as file:
        file.write('{"diagnostics": {"CD0401": "warning"}}\n')
    return copy


def reduced(bundle, versions, current, folder):
    """A copy of a bundle that has only some of its versions, with the configuration beside it."""
    copy = os.path.join(folder, os.path.basename(bundle))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(copy)
    for name in versions:
        bundlefiles.copy(os.path.join(bundle, name + ".xcdatamodel"), os.path.join(copy, name + ".xcdatamodel"))
    configuration = os.path.join(os.path.dirname(bundle), "chordata.json")
    if os.path.exists(configuration):
        shutil.copy(configuration, folder)
    make_current(copy, current)
    return copy


def check(tool, bundle, folder, is_thorough, result, stages):
    """Classifies each step up to the last version, and verifies migrations into the current one.

    A quick check verifies the step from the version before it, a thorough one every older version, and also the migrations into
    the last version where that is not the current one.
    """
    versions = list(bundlefiles.versions(bundle))
    if len(versions) < 2:
        return
    with stages.measure("migrate plan"):
        steps = plan(tool, bundle, versions[0], versions[-1], result)
    if steps is None:
        return
    if [(step["from"], step["to"]) for step in steps] != list(zip(versions, versions[1:])):
        result.fail("migrate plan", f"there are {len(steps)} steps between {len(versions)} versions")
    for step in steps:
        if step["sql"] is None:
            result.refused.add((result.path, step["from"], step["to"]))
        else:
            result.counts["inferred" if step["steps"] else "unchanged"] += 1
    result.passed.append(f"{len(steps)} steps planned")
    current = bundlefiles.current(bundle)
    if current not in versions:
        return
    place = versions.index(current)
    before = result.counts["verified"]
    with stages.measure("migrate verify"):
        if place and is_thorough:
            verify(tool, bundle, versions, current, result)
        elif place:
            pair = versions[place - 1:place + 1]
            copy = reduced(bundle, pair, current, os.path.join(folder, "pair"))
            verify(tool, copy, pair, current, result)
        if place != len(versions) - 1 and is_thorough:
            copy = os.path.join(folder, "last", os.path.basename(bundle))
            bundlefiles.copy(bundle, copy)
            make_current(copy, versions[-1])
            verify(tool, copy, versions, versions[-1], result)
    result.passed.append(f"{result.counts['verified'] - before} migrations verified")


def plan(tool, bundle, first, last, result):
    """The steps from a version to another one; None if the command failed."""
    planned = run([tool, "migrate", "plan", bundle, "--from", first, "--to", last, "--format", "json"], timeout=300)
    try:
        steps = json.loads(planned.stdout)["steps"]
        # The status is 1 for a step that is refused, too; then there are steps.
        if steps or not planned.failed:
            return steps
        result.fail("migrate plan", planned.errors())
        return None
    except (ValueError, KeyError, TypeError):
        result.fail("migrate plan", planned.errors())
        return None


def verify(tool, bundle, versions, current, result):
    """Verifies the migration from each version before the current one."""
    verified = run([tool, "migrate", "verify", bundle, "--format", "json"], timeout=900)
    try:
        migrations = json.loads(verified.stdout)["migrations"]
    except (ValueError, KeyError, TypeError):
        result.fail("migrate verify", verified.errors())
        return
    older = versions[: versions.index(current)]
    if sorted(item["from"] for item in migrations) != sorted(older):
        result.fail("migrate verify", f"{len(migrations)} of {len(older)} older versions were tried")
    gaps = {versions.index(refused[1]) for refused in result.refused if refused[1] in versions}
    for item in migrations:
        if item["from"] not in versions:
            continue
        is_behind_gap = any(versions.index(item["from"]) <= gap < len(older) for gap in gaps)
        if item["outcome"] == "verified" and not is_behind_gap:
            result.counts["verified"] += 1
        elif item["outcome"] == "unverifiable" and is_behind_gap:
            result.counts["behind gaps"] += 1
        else:
            result.fail(f"migrate verify '{item['from']}'", f"{item['outcome']}: " + "; ".join(item["messages"][:5]))
