"""What is checked of the migrations of a bundle: which steps are inferred, and what becomes of stores of all older versions."""

import json
import os
import shutil

import xmlmodel
from commands import errors, run

# The steps that cannot be inferred, and why nobody could.
REFUSED = {
    ("WordPress", "WordPress 20", "WordPress 21"): "Core Data refuses it, as the app's own test says",
    ("CoreDataStack", "CoreDataStack 3", "CoreDataStack 4"): "a required attribute without a default",
    ("Model", "Model", "Model 2"): "attributes that become required without a default",
}


def name_of(bundle):
    return os.path.splitext(os.path.basename(bundle))[0]


def accepting(bundle, folder):
    """The bundle, or where no step leads into its current version a copy with a configuration that says so be it."""
    if (name_of(bundle), xmlmodel.current(bundle)) not in {(name, last) for name, _, last in REFUSED}:
        return bundle
    copy = os.path.join(folder, os.path.basename(bundle))
    shutil.copytree(bundle, copy)
    with open(os.path.join(folder, "chordata.json"), "w", encoding="utf-8") as file:
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


def check_bundle(tool, bundle):
    """Classifies each step up to the last version, and verifies the migration from each older version to the current one."""
    result = Result()
    versions = sorted(xmlmodel.versions(bundle), key=xmlmodel.natural)
    if len(versions) < 2:
        return result
    planned = run([tool, "migrate", "plan", bundle, "--from", versions[0], "--to", versions[-1], "--format", "json"],
                  timeout=300)
    try:
        steps = json.loads(planned.stdout)["steps"]
    except ValueError:
        result.failures.append("migrate plan: " + errors(planned.stderr))
        return result
    name = name_of(bundle)
    for step in steps:
        if step["sql"] is None:
            result.refused.add((name, step["from"], step["to"]))
        elif step["steps"]:
            result.inferred += 1
        else:
            result.unchanged += 1
    if versions.index(xmlmodel.current(bundle)) == 0:
        return result
    verified = run([tool, "migrate", "verify", bundle, "--format", "json"], timeout=900)
    try:
        migrations = json.loads(verified.stdout)["migrations"]
    except ValueError:
        result.failures.append("migrate verify: " + errors(verified.stderr))
        return result
    for item in migrations:
        if item["outcome"] == "verified":
            result.verified += 1
        elif item["outcome"] == "unverifiable" and any(refused[0] == name for refused in result.refused):
            result.behind_gaps += 1
        else:
            result.failures.append(f"migrate verify '{item['from']}': " + "; ".join(item["messages"][:5]))
    return result


def summarize(results):
    """Prints what the checks found in all; gives what is wrong with it."""
    total = Result()
    for result in results:
        total.add(result)
    print(f"corpus: {total.inferred} steps between versions inferred, {total.unchanged} without a change of stores, "
          f"{len(total.refused)} refused")
    print(f"corpus: {total.verified} older versions migrate to the current one, {total.behind_gaps} stand behind a refused step")
    if total.refused != set(REFUSED):
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
    return failures
