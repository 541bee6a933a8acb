"""What is checked of the migrations of a bundle: which steps are inferred, and what becomes of stores of all older versions."""

import json
import os
import shutil

import xmlmodel
from commands import errors, run

WORDPRESS = "Deco354__WordPress-iOS/WordPress/Classes/WordPress.xcdatamodeld"
BOOKMARKS = "duckduckgo__BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
EVENTS = "wireapp__wire-ios-data-model/Resources/ZMEventModel.xcdatamodeld"

# The steps that cannot be inferred, by the path of the bundle in the corpus, and why nobody could.
REFUSED = {
    (WORDPRESS, "WordPress 20", "WordPress 21"): "Core Data refuses it, as the app's own test says",
    ("TwidereProject__TwidereX-iOS/TwidereSDK/Sources/CoreDataStack/CoreDataStack.xcdatamodeld", "CoreDataStack 3",
     "CoreDataStack 4"): "a required attribute without a default",
    ("SwiftGen__SwiftGen/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld", "Model", "Model 2"):
        "attributes that become required without a default",
}

# What Core Data does with a store of one version that is opened with another one, as the tests of these apps say.
INFERRED_BY_CORE_DATA = (
    [(WORDPRESS, f"WordPress {old}", f"WordPress {new}")
     for old, new in [(27, 28), (35, 36), (40, 41), (48, 49), (52, 53), (74, 75)]]
    + [(BOOKMARKS, "BookmarksModel 3", "BookmarksModel 4"), (BOOKMARKS, "BookmarksModel", "BookmarksModel 6")]
    + [(BOOKMARKS, f"BookmarksModel {old}", "BookmarksModel 6") for old in range(2, 6)]
    + [(EVENTS, "ZMEventModel", "ZMEventModel2.0"), (EVENTS, "ZMEventModel2.0", "ZMEventModel3.0"),
       (EVENTS, "ZMEventModel", "ZMEventModel3.0")]
)
REFUSED_BY_CORE_DATA = [(WORDPRESS, "WordPress 19", "WordPress 21")]

# How many mapping models there are at least.
MAPPING_MODELS = 11


def is_known(folder):
    """Whether a folder is the corpus that the tables above are of: if it has one of their bundles, it has all."""
    return any(os.path.exists(os.path.join(folder, path)) for path in [WORDPRESS, BOOKMARKS, EVENTS])


def make_current(bundle, version):
    with open(os.path.join(bundle, ".xccurrentversion"), "w", encoding="utf-8") as file:
        file.write(f"<plist><dict><key>_XCCurrentVersionName</key><string>{version}.xcdatamodel</string></dict></plist>\n")


def accepting(bundle, path, folder):
    """The bundle, or where no step leads into its current version a copy with a configuration that says so be it."""
    if (path, xmlmodel.current(bundle)) not in {(name, last) for name, _, last in REFUSED}:
        return bundle
    copy = os.path.join(folder, path)
    shutil.copytree(bundle, copy)
    with open(os.path.join(os.path.dirname(copy), "chordata.json"), "w", encoding="utf-8") as file:
        file.write('{"diagnostics": {"CD0401": "warning"}}\n')
    return copy


class Result:
    def __init__(self):
        self.failures = []
        self.inferred = 0
        self.unchanged = 0
        self.refused = set()
        self.verified = 0
        self.behind_gaps = 0

    def add(self, other):
        self.failures += other.failures
        self.inferred += other.inferred
        self.unchanged += other.unchanged
        self.refused |= other.refused
        self.verified += other.verified
        self.behind_gaps += other.behind_gaps


def check_bundle(tool, bundle, path, work):
    """Classifies each step up to the last version, and verifies the migration from each older version to the current one, and
    to the last one where that is another."""
    result = Result()
    versions = sorted(xmlmodel.versions(bundle), key=xmlmodel.natural)
    if len(versions) < 2:
        return result
    steps = plan(tool, bundle, versions[0], versions[-1], result)
    if steps is None:
        return result
    if [(step["from"], step["to"]) for step in steps] != list(zip(versions, versions[1:])):
        result.failures.append(f"migrate plan: there are {len(steps)} steps between {len(versions)} versions")
    for step in steps:
        if step["sql"] is None:
            result.refused.add((path, step["from"], step["to"]))
        elif step["steps"]:
            result.inferred += 1
        else:
            result.unchanged += 1
    current = xmlmodel.current(bundle)
    if current != versions[0]:
        verify(tool, bundle, versions, current, result)
    if current != versions[-1]:
        copy = os.path.join(work, path)
        shutil.copytree(bundle, copy)
        make_current(copy, versions[-1])
        verify(tool, copy, versions, versions[-1], result)
    return result


def plan(tool, bundle, first, last, result):
    """The steps from a version to another one; nothing if it failed."""
    planned = run([tool, "migrate", "plan", bundle, "--from", first, "--to", last, "--format", "json"], timeout=300)
    try:
        return json.loads(planned.stdout)["steps"]
    except ValueError:
        result.failures.append("migrate plan: " + errors(planned.stderr))
        return None


def verify(tool, bundle, versions, current, result):
    """Verifies the migration from each version before the current one."""
    verified = run([tool, "migrate", "verify", bundle, "--format", "json"], timeout=900)
    try:
        migrations = json.loads(verified.stdout)["migrations"]
    except ValueError:
        result.failures.append("migrate verify: " + errors(verified.stderr))
        return
    older = versions[: versions.index(current)]
    if sorted(item["from"] for item in migrations) != sorted(older):
        result.failures.append(f"migrate verify: of {len(older)} older versions {len(migrations)} were tried")
    gaps = {versions.index(refused[1]) for refused in result.refused}
    for item in migrations:
        is_behind_gap = any(versions.index(item["from"]) <= gap < len(older) for gap in gaps)
        if item["outcome"] == "verified" and not is_behind_gap:
            result.verified += 1
        elif item["outcome"] == "unverifiable" and is_behind_gap:
            result.behind_gaps += 1
        else:
            result.failures.append(f"migrate verify '{item['from']}' is {item['outcome']}: " + "; ".join(item["messages"][:5]))


def check_oracles(tool, folder, work):
    """Plans what Core Data is known to infer or to refuse, each pair as if there were no versions between; gives what is wrong."""
    if not is_known(folder):
        return []
    failures = []
    expected = [(pair, True) for pair in INFERRED_BY_CORE_DATA] + [(pair, False) for pair in REFUSED_BY_CORE_DATA]
    for number, ((path, old, new), is_inferred) in enumerate(expected):
        pair = os.path.join(work, str(number), os.path.basename(path))
        for name in [old, new]:
            shutil.copytree(os.path.join(folder, path, name + ".xcdatamodel"), os.path.join(pair, name + ".xcdatamodel"))
        make_current(pair, new)
        result = Result()
        steps = plan(tool, pair, old, new, result)
        if steps is not None and (len(steps) != 1 or (steps[0]["sql"] is not None) != is_inferred):
            result.failures.append("is not inferred, which Core Data does" if is_inferred
                                   else "is inferred, which Core Data refuses")
        failures += [(path, f"'{old}' to '{new}': {text}") for text in result.failures]
    print(f"corpus: {len(expected) - len(failures)} of {len(expected)} pairs are inferred or refused as Core Data does")
    return failures


def summarize(results, folder):
    """Prints what the checks found in all; gives what is wrong with it."""
    total = Result()
    for result in results:
        total.add(result)
    print(f"corpus: {total.inferred} steps between versions inferred, {total.unchanged} without a change of stores, "
          f"{len(total.refused)} refused")
    print(f"corpus: {total.verified} older versions migrate to the current one, {total.behind_gaps} stand behind a refused step")
    if is_known(folder) and total.refused != set(REFUSED):
        return f"refused are {sorted(total.refused)} instead of {sorted(REFUSED)}"
    return None


def mapping_models(folder):
    """All mapping models below a folder."""
    return sorted(os.path.join(above, name) for above, names, _ in os.walk(folder) for name in names
                  if name.endswith(".xcmappingmodel"))


def check_mapping(tool, path, work, runtime):
    """What is wrong with what the tool says of a mapping model, and with the stage it writes; nothing if all is well."""
    report = run([tool, "migrate", "mapping", path], timeout=60)
    stage = run([tool, "migrate", "mapping", path, "--swift"], timeout=60)
    if report.returncode or stage.returncode:
        return errors(report.stderr + stage.stderr)
    if "Objects of " not in report.stdout:
        return "nothing is said of its entities"
    file = os.path.join(work, "Stage.swift")
    with open(file, "w", encoding="utf-8") as output:
        output.write(stage.stdout)
    checked = run(["swiftc", "-typecheck", *runtime.options, file], timeout=300)
    return errors(checked.stderr) if checked.returncode else None


def check_mappings(tool, folder, work, runtime):
    """Prints what the checks found in all; gives what is wrong."""
    paths = mapping_models(folder)
    failures = [(path, text) for path in paths if (text := check_mapping(tool, path, work, runtime))]
    print(f"corpus: {len(paths) - len(failures)} of {len(paths)} mapping models are told and written as stages that type-check")
    if is_known(folder) and len(paths) < MAPPING_MODELS:
        failures.append((folder, f"there are {len(paths)} mapping models instead of {MAPPING_MODELS}"))
    return failures
