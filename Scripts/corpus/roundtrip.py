"""Round trips: the generated code of a bundle's current version, and the Swift that drives it, become a program that inserts,
saves, reads and compares objects."""

import json
import os
import re
import sqlite3

import driver
import functions
import generated
import plan as planning
import planjson
import stubs
import swiftnames
import versions
from commands import run


def check(bundle, contents, folder, builder, result, stages):
    """Builds and runs the round trip of generated code in a folder."""
    code = generated.text(folder)
    with stages.measure("plan of objects"):
        plan = planning.Plan(contents, code)
        source = os.path.join(folder, "Driver.swift")
        with open(source, "w", encoding="utf-8") as file:
            file.write(driver.program(plan, swiftnames.model_type(bundle)))
        with open(os.path.join(folder, "plan.json"), "w", encoding="utf-8") as file:
            json.dump(planjson.as_json(plan), file)
    for text in plan.failures:
        result.fail("round trip", text)
    result.unknown += [f"round trip: {text}" for text in dict.fromkeys(plan.unknown)]
    result.skipped += sorted(set(plan.skipped))
    result.counts["unknown properties"] += len(set(plan.unknown))
    written, expected = generated.functions(code), len(functions.of_model(plan, only_callable=False))
    if written != expected:
        result.fail("round trip", f"the file asks for {expected} functions, the generated code has {written}")
    if any(text.startswith("the class of") for text in plan.failures):
        # Code that uses such a class cannot be compiled.
        return
    program = os.path.join(folder, "program")
    with stages.measure("compile"):
        modules = stubs.modules(plan.model)
        builder.add_modules(modules)
        problem = builder.build_program(generated.files(folder), program, is_strict=not modules)
    if problem:
        # The generated code alone shows whether it is at fault, or the Swift that drives it.
        os.remove(source)
        with stages.measure("type-check"):
            own = versions.type_check(contents, folder, builder)
        result.fail("type-check" if own else "round trip", own or "does not build: " + problem)
        if not own:
            result.counts["checked"] += 1
        return
    result.counts["checked"] += 1
    with stages.measure("run"):
        run_program(program, folder, result)


def run_program(program, folder, result, timeout=120):
    """Runs the program of a round trip and reads its results."""
    outcome = run([program, os.path.join(folder, "plan.json"), folder], timeout)
    lines = outcome.stdout.splitlines()
    failures = [line[len("failure "):] for line in lines if line.startswith("failure ")]
    counts = next((line.split() for line in lines if line.startswith("entities ")), [])
    if not failures and (outcome.failed or not counts):
        last = re.search(r"^.*(Fatal error|Precondition failed).*$", outcome.stderr, re.MULTILINE)
        failures.append(last.group()[:600] if last else outcome.errors()[-600:])
    stores = [name for name in sorted(os.listdir(folder)) if name.endswith(".sqlite")]
    if len(stores) != 3 and not failures:
        failures.append(f"there are {len(stores)} stores")
    for name in stores:
        failures += [f"{name}: {problem}" for problem in damage(os.path.join(folder, name))]
    for text in failures:
        result.fail("round trip", text)
    numbers = dict(zip(counts[0::2], map(int, counts[1::2])))
    result.counts.update(numbers)
    if not failures:
        result.counts["round trips"] += 1
        result.passed.append("round trip of " + ", ".join(
            f"{numbers.get(name, 0)} {name}" for name in ("entities", "properties", "functions")))


def damage(store):
    """The problems that SQLite itself finds in a store."""
    connection = sqlite3.connect(store)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        return found + [f"foreign key {row}" for row in connection.execute("PRAGMA foreign_key_check")]
    except sqlite3.Error as error:
        return [str(error)]
    finally:
        connection.close()
