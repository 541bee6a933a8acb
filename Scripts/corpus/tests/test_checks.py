import argparse
import contextlib
import functools
import io
import os
import sys
import time

import bundlecheck
import check
import commands
import generated
import mappings
import migrations
import roundtrip
import summary
import versions
from forms import Impossible, UnknownForm
from results import Report, Result, Stages
from small import FolderTest, element


class Commands(FolderTest):
    def test_a_timeout_is_an_outcome(self):
        started = time.monotonic()
        outcome = commands.run(["sh", "-c", "sleep 30 & sleep 30"], timeout=0.2)
        self.assertLess(time.monotonic() - started, 5)
        self.assertTrue(outcome.failed)
        self.assertRegex(outcome.errors(), r"'sh -c .*' did not end within 0.2 s and was stopped")

    def test_a_missing_program_is_an_outcome(self):
        self.assertIn("cannot be run", commands.run(["/no/such/program"]).errors())

    def test_errors(self):
        self.assertEqual(commands.run(["sh", "-c", "echo 'a: error: b' >&2; echo c >&2; exit 1"]).errors(), "a: error: b")
        self.assertEqual(commands.run(["sh", "-c", "exit 3"]).errors(), "'sh -c exit 3' ended with status 3")
        self.assertFalse(commands.run(["true"]).failed)


class Isolation(FolderTest):
    def run_jobs(self, jobs):
        lines = []
        report = Report(lines.append)
        check.run_jobs(jobs, 2, report)
        return report, lines

    def job(self, name, error=None):
        def work():
            if error:
                raise error
            results[name].passed.append("fine")
        results = {name: Result(name)}
        return check.isolated(results[name], "stage", work)

    def test_an_exception_does_not_hide_the_others(self):
        report, lines = self.run_jobs([
            self.job("a"), self.job("b", ZeroDivisionError("by zero")),
            self.job("c", UnknownForm(element('<attribute name="x" t="y"/>'), "t", "why")), self.job("d", Impossible("no value")),
            self.job("e"),
        ])
        self.assertLessEqual({"ok a: fine", "ok e: fine", "checked b: nothing passed"}, set(lines))
        self.assertTrue(any(line.startswith("UNKNOWN b: stage: the scripts ended with ZeroDivisionError: by zero at test_checks.py:")
                            for line in lines), lines)
        self.assertIn('UNKNOWN c: stage: form <attribute name="x" t="y">: why', lines)
        self.assertIn("SKIPPED d: stage: no value", lines)
        self.assertEqual(len(report.results), 5)

    def test_problems_fail_the_check(self):
        options = argparse.Namespace(folder=self.folder, skips=0, thorough=False)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(summary.print_all(self.run_jobs([self.job("a")])[0], options, 1, 0), [])
            problems = summary.print_all(self.run_jobs([self.job("a"), self.job("b", ValueError())])[0], options, 2, 0)
        self.assertIn("0 failures in 0 bundles, 1 unknown forms in 1", printed.getvalue())
        self.assertEqual(len(problems), 1)
        self.assertIn("1 forms in 1 bundles are unknown", problems[0])
        options.skips = 1
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertIn("instead of 1", summary.print_all(self.run_jobs([self.job("a")])[0], options, 1, 0)[0])

    def test_stages(self):
        stages = Stages()
        with self.assertRaises(ValueError), stages.measure("x"):
            raise ValueError
        self.assertRegex("\n".join(stages.table()), r"x +0\.0 +1")


class Bundles(FolderTest):
    """A whole check of a bundle with a tool that is a script."""

    def check(self, script, body='<entity name="A"/>', timeout=10):
        tool = self.write("tool", "#!/bin/sh\n" + script + "\n")
        os.chmod(tool, 0o755)
        self.contents(body, "M.xcdatamodeld/M.xcdatamodel/contents")
        result = Result("M.xcdatamodeld")
        quick = functools.partial(self.run_with, timeout)
        for module in (versions, migrations):
            original = module.run
            module.run = quick
            self.addCleanup(setattr, module, "run", original)
        builder = type("Builder", (), {
            "add_modules": lambda self, names: None, "build_program": lambda self, files, program, is_strict=True: "error: no Swift",
            "type_check": lambda self, files, is_strict=True: None})()
        checker = bundlecheck.BundleCheck(tool, builder, False, Stages())
        checker.check(os.path.join(self.folder, "M.xcdatamodeld"), os.path.join(self.folder, "work"), result)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "work")))
        return result

    @staticmethod
    def run_with(limit, command, timeout=None):
        return commands.run(command, limit)

    def test_a_tool_that_does_not_end(self):
        result = self.check("exec sleep 60", timeout=0.2)
        self.assertEqual(result.unknown, [])
        self.assertEqual([text.split(":")[0] for text in result.failures], ["validate", "format"])
        self.assertIn("did not end within 0.2 s", result.failures[0])

    def test_a_tool_that_refuses(self):
        result = self.check("echo 'x: error: bad' >&2; exit 1")
        self.assertEqual(result.failures, ["validate: x: error: bad", "format: x: error: bad"])

    def test_a_tool_that_prints_nonsense(self):
        result = self.check('[ "$1" = diff ] && echo nonsense; [ "$1" = generate ] && mkdir -p "$6"; exit 0')
        self.assertIn("valid", result.passed)
        self.assertTrue(any(text.startswith("format: the scripts ended with JSONDecodeError") for text in result.unknown), result.unknown)
        self.assertTrue(any(text.startswith("count 'M'") for text in result.failures), result.failures)

    def test_a_model_that_the_scripts_do_not_know(self):
        result = self.check('[ "$1" = diff ] && echo \'{"changes": []}\'; [ "$1" = generate ] && mkdir -p "$6"; exit 0',
                            '<entity name="A" parentEntity="B"/>')
        self.assertEqual(result.failures, [])
        self.assertLessEqual({"valid", "formatted"}, set(result.passed))
        self.assertTrue(any('<entity name="A" parentEntity="B">' in text for text in result.unknown), result.unknown)

    def test_versions_without_a_known_format(self):
        self.write("M.xcdatamodeld/Old.xcdatamodel/elements")
        result = self.check("exit 1")
        self.assertEqual(result.unknown, ["version 'Old': form the format of Xcode 3 ('elements' and 'layout')"])
        # 'Old' is the last version by name, so it is the current one, and the tool must reject it.
        self.assertEqual((result.failures, result.passed), ([], ["refused"]))
        self.assertEqual(len(self.check("exit 0").failures), 1)


class Programs(FolderTest):
    def run_program(self, script, timeout=10):
        program = self.write("program", "#!/bin/sh\n" + script + "\n")
        os.chmod(program, 0o755)
        result = Result("x")
        roundtrip.run_program(program, self.folder, result, timeout)
        return result

    def test_results(self):
        counts = "echo entities 1 properties 2 functions 3 comparisons 4"
        self.assertEqual(self.run_program(counts).failures, ["round trip: there are 0 stores"])
        self.assertEqual(self.run_program("echo failure a; " + counts + "; exit 1").failures, ["round trip: a"])
        self.assertEqual(self.run_program("echo 'x: Fatal error: y' >&2; exit 4").failures, ["round trip: x: Fatal error: y"])
        self.assertIn("did not end within", self.run_program("exec sleep 60", 0.2).failures[0])
        for name in "abc":
            self.write(name + ".sqlite")
        result = self.run_program(counts)
        self.assertEqual((result.failures, result.counts["round trips"], result.counts["properties"]), ([], 1, 2))
        self.write("a.sqlite", b"garbage" * 200)
        self.assertEqual(len(self.run_program(counts).failures), 1)


class Generated(FolderTest):
    CODE = "\n".join([
        "open nonisolated class _A: Chordata.ManagedObject {", "    private struct _Level {", "        var x: Swift.String? = nil",
        "        var b = Chordata.ToOneSlot()", "    }", "    public final var x: Swift.String? {", "    public private(set) var `in`: [X] {",
        '    override open class var entityName: Swift.String { "A" }', "    /// func no(", "    class func describe(_ x: Y) {",
        "    public init(a: Int) {", "    public static func all(text: Swift.String, `in` in_: [A]) -> Chordata.FetchRequest<A> {",
    ])

    def test_reading(self):
        self.assertEqual(generated.counts(self.CODE), (1, 1, 1))
        self.assertEqual(generated.functions(self.CODE), 2)
        self.assertEqual(generated.property_types(self.CODE), {"_A": {"x": "Swift.String?", "in": "[X]"}})
        self.assertEqual(generated.parameters(self.CODE, "all"), [("text", "Swift.String"), ("`in`", "[A]")])
        self.assertIsNone(generated.parameters(self.CODE, "none"))

    def test_scopes_of_stages(self):
        text = mappings.scoped(3, "import Chordata\n\n/// A stage.\nlet x = f(\n    a\n)")
        self.assertEqual(text, "import Chordata\nenum Scope3 {\n\n/// A stage.\nstatic let x = f(\n    a\n)\n}\n")


class Arguments(FolderTest):
    def test_names(self):
        options = check.arguments(["folder", "--skips", "2", "--no-build", "--jobs", "1", "--tool", "t"])
        self.assertEqual((options.skips, options.no_build, options.thorough, options.tool), (2, True, False, "t"))

    def test_an_empty_folder(self):
        argv, sys.argv = sys.argv, ["check.py", self.folder]
        self.addCleanup(setattr, sys, "argv", argv)
        with self.assertRaisesRegex(SystemExit, "there is no model"):
            check.main()

    def test_only_thorough_builds_have_a_release(self):
        ran = []
        original = commands.run
        commands.run = lambda command, timeout=None: ran.append(command) or commands.Outcome(command, 0)
        self.addCleanup(setattr, commands, "run", original)
        check.build(False)
        self.assertEqual([command[-1] for command in ran], ["chordataPackageTests"])
        check.build(True)
        self.assertEqual(ran[1], ran[0])
        self.assertEqual(ran[2], ran[0][:-1] + [check.TOOL, "-c", "release"])
