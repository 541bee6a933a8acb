"""Round trips: each bundle's generated code, the Swift that drives it and what is the same for all become one program,
which runs once for each bundle."""

import json
import os
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor

import driver
import plan as planning
import swiftnames
import xmlmodel
from commands import errors, run

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support")


class Builder:
    """Compiles against the runtime, a module to an object file."""

    def __init__(self, runtime, work):
        self.runtime = runtime
        self.work = work

    def compile(self, files, module, *options):
        """Gives the errors if there are any."""
        result = run(
            ["swiftc", "-emit-object", "-wmo", "-Onone", "-module-name", module, *self.runtime.options, "-I", self.work,
             "-o", self.object(module), *options, *files], timeout=900)
        return errors(result.stderr) if result.returncode else None

    def link(self, modules, program):
        files = [self.object(module) for module in modules] + self.runtime.objects()
        result = run(["swiftc", "-o", program, *files, "-lsqlite3"], timeout=300)
        return errors(result.stderr) if result.returncode else None

    def object(self, module):
        return os.path.join(self.work, module + ".o")


MAIN = """
@main enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        switch arguments[1] {
%s
        default: fatalError("there is no round trip '\\(arguments[1])'")
        }
    }
}
"""


def main_program(symbols):
    """The program's own file: it knows the round trips by their C names."""
    lines = ["import Foundation", ""]
    for symbol in symbols:
        lines.append(f'@_silgen_name("{symbol}") func {symbol}(_: UnsafePointer<CChar>, _: UnsafePointer<CChar>) -> Int32')
    cases = [f'        case "{symbol}": exit({symbol}(arguments[2], arguments[3]))' for symbol in symbols]
    return "\n".join(lines) + "\n" + MAIN % "\n".join(cases)


class RoundTrip:
    """The round trip of a bundle's current version."""

    def __init__(self, number, bundle, work):
        self.bundle = bundle
        self.symbol = f"roundTrip{number}"
        self.folder = os.path.join(work, self.symbol)
        self.failures = []
        self.counts = {}
        self.skipped = []

    def write(self, generate):
        """Generates code, and writes what drives it; gives the files."""
        contents = xmlmodel.versions(self.bundle)[xmlmodel.current(self.bundle)]
        plan = planning.Plan(contents)
        problem = generate(self.bundle, xmlmodel.current(self.bundle), self.folder, "public")
        if problem:
            self.failures.append(problem)
            return None
        written = functions_in(self.folder)
        source = os.path.join(self.folder, "Driver.swift")
        with open(source, "w", encoding="utf-8") as file:
            file.write(driver.program(contents, plan, swiftnames.model_type(self.bundle), self.symbol))
        with open(os.path.join(self.folder, "plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan.as_json(), file)
        self.skipped = sorted(set(plan.skipped))
        expected = len(plan.functions(only_callable=False))
        if written != expected:
            self.failures.append(f"the file asks for {expected} functions, the generated code has {written}")
        return sorted(os.path.join(self.folder, n) for n in os.listdir(self.folder) if n.endswith(".swift"))

    def run(self, program):
        result = run(["timeout", "120", program, self.symbol, os.path.join(self.folder, "plan.json"), self.folder])
        lines = result.stdout.splitlines()
        self.failures += [line[len("failure "):] for line in lines if line.startswith("failure ")]
        counts = next((line.split() for line in lines if line.startswith("entities ")), [])
        self.counts = dict(zip(counts[0::2], map(int, counts[1::2])))
        if not self.failures and (result.returncode or not counts):
            last = re.search(r"^.*(Fatal error|Precondition failed).*$", result.stderr, re.MULTILINE)
            self.failures.append(last.group()[:600] if last else f"ended with {result.returncode}: {result.stderr[-300:]}")
        stores = [name for name in sorted(os.listdir(self.folder)) if name.endswith(".sqlite")]
        if len(stores) != 3 and not self.failures:
            self.failures.append(f"there are {len(stores)} stores")
        for name in stores:
            self.failures += [f"{name}: {problem}" for problem in damage(os.path.join(self.folder, name))]


def damage(store):
    """What SQLite itself finds wrong with a store."""
    connection = sqlite3.connect(store)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        return found + [f"foreign key {row}" for row in connection.execute("PRAGMA foreign_key_check")]
    finally:
        connection.close()


def functions_in(folder):
    """How many functions and initializers generated code has, besides those that the runtime calls."""
    count = 0
    for name in os.listdir(folder):
        for line in open(os.path.join(folder, name), encoding="utf-8"):
            text = line.strip()
            if re.match(r"///|.*\bclass func (describe|propertyKeyPaths)\b", text):
                continue
            if re.search(r"\bfunc \S+\(|\binit\(.*\{$", text) or "{ fetchedObjects(of:" in text:
                count += 1
    return count


def round_trips(bundles, runtime, work, generate):
    """Builds and runs the round trips of all bundles."""
    trips = [RoundTrip(number, bundle, work) for number, bundle in enumerate(bundles)]
    builder = Builder(runtime, work)
    support = [os.path.join(SUPPORT, name) for name in sorted(os.listdir(SUPPORT)) if name.endswith(".swift")]
    problem = builder.compile(support, "CorpusSupport", "-emit-module", "-emit-module-path",
                              os.path.join(work, "CorpusSupport.swiftmodule"))
    if problem:
        return trips, problem

    def build(trip):
        files = trip.write(generate)
        problem = files and builder.compile(files, trip.symbol.capitalize())
        if problem:
            trip.failures.append("does not build: " + problem)
        return files and not problem

    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        built = [trip for trip, is_built in zip(trips, pool.map(build, trips)) if is_built]
        main = os.path.join(work, "main.swift")
        with open(main, "w", encoding="utf-8") as file:
            file.write(main_program([trip.symbol for trip in built]))
        program = os.path.join(work, "roundtrips")
        problem = builder.compile([main], "RoundTrips") or builder.link(
            ["RoundTrips", "CorpusSupport"] + [trip.symbol.capitalize() for trip in built], program)
        if problem:
            return trips, problem
        list(pool.map(lambda trip: trip.run(program), built))
    return trips, None
