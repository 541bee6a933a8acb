import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

from load import load

modules = load("modules")

TABLE = f"""{modules.TABLE}

| folder | what it does |
|---|---|
| `Sources/Alpha`, `Sources/Beta` | pure |
| `Sources/Chordata` | the runtime: `Saving` |

## Tests

| `Sources/Other` | of another table |
"""


def target(name, *dependencies, kind="regular", **settings):
    """A target as 'dump-package' prints it."""
    listed = [{"product" if package else "byName": [name, package]} for name, package in map(split, dependencies)]
    return {"name": name, "type": kind, "dependencies": listed, "exclude": [], **settings}


def split(dependency):
    name, _, package = dependency.partition("@")
    return name, package or None


def manifest(*targets, products=()):
    listed = [{"name": name, "targets": list(names), "type": {"library": ["automatic"]}} for name, names in products]
    return {"targets": list(targets), "products": listed}


class ModulesTests(unittest.TestCase):
    """A package without faults, into which each test introduces one fault."""

    def setUp(self):
        self.files = {
            "CONTRIBUTING.md": TABLE,
            "Sources/Alpha/a.swift": "import Foundation\n",
            "Sources/Beta/b.swift": "package import Alpha\n",
            "Sources/Chordata/Saving/c.swift": "",
            "Tests/AlphaTests/a.swift": "@testable import Alpha\nimport Testing\n",
            "Tests/BetaTests/b.swift": "import Alpha\nimport Beta\n",
            "Tests/ChordataTests/Saving/c.swift": "import Chordata\n",
        }
        self.targets = {
            "Alpha": target("Alpha"),
            "Beta": target("Beta", "Alpha"),
            "Chordata": target("Chordata"),
            "AlphaTests": target("AlphaTests", "Alpha", kind="test"),
            "BetaTests": target("BetaTests", "Alpha", "Beta", kind="test"),
            "ChordataTests": target("ChordataTests", "Chordata", kind="test"),
        }
        self.nested = {}
        self.exceptions = {"BUILT": set(), "TESTED_BY": {}, "TESTS_OF_SEVERAL_MODULES": set(), "TEST_FOLDERS": set()}

    def check(self, *problems, reads_manifests=False):
        """Requires that exactly these problems are found."""
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
            for name, value in self.exceptions.items():
                stack.enter_context(mock.patch.object(modules, name, value))
            for name, text in self.files.items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            output = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            manifests = {".": manifest(*self.targets.values(), products=[("Core", ["Alpha", "Beta"])]), **self.nested}
            code = modules.main(folder, None if reads_manifests else manifests)
        found = [line.removeprefix("error: ") for line in output.getvalue().split("\n") if line.startswith("error: ")]
        self.assertEqual(found, list(problems))
        self.assertEqual(code, 1 if problems else 0)

    def test_a_package_without_faults(self):
        self.check()

    # MARK: Imports

    def test_an_import_that_is_not_declared(self):
        self.files["Sources/Alpha/Deep/d.swift"] = "#if os(Linux)\n    @testable internal import struct Beta.B\n#endif\n"
        self.check("Sources/Alpha/Deep/d.swift: target 'Alpha' imports 'Beta', which Package.swift does not declare for it")

    def test_a_dependency_that_is_not_imported(self):
        self.targets["Alpha"] = target("Alpha", "Beta", "Logging@swift-log")
        self.check(
            "Package.swift: target 'Alpha' declares 'Beta', but no file imports it",
            "Package.swift: target 'Alpha' declares 'Logging', but no file imports it",
        )
        self.files["Sources/Alpha/a.swift"] = "import Beta\n#if canImport(Logging)\n    public import Logging\n#endif\n"
        self.check()

    def test_text_is_not_an_import(self):
        for text in [
            "// import Beta", "/*\nimport Beta\n*/", 'let a = """\n    import Beta\n    """', 'let a = #"""\nimport Beta\n"""#',
            'let a = "//"; let b = """\nimport Beta\n"""', "let a = #\"\nimport Beta\n\"#", "let important = Beta()",
        ]:
            self.files["Sources/Alpha/a.swift"] = text + "\n"
            self.check()
        self.files["Sources/Alpha/a.swift"] = 'let a = "/*"\nimport Beta\nlet b = "*/"\n'
        self.check("Sources/Alpha/a.swift: target 'Alpha' imports 'Beta', which Package.swift does not declare for it")

    def test_programs_are_dependencies_without_an_import(self):
        self.targets["tool"] = target("tool", kind="executable", path="Tests/Tool")
        self.files["Tests/Tool/main.swift"] = "print()\n"
        self.targets["AlphaTests"] = target("AlphaTests", "Alpha", "tool", kind="test")
        self.check()

    def test_a_dependency_that_is_only_built(self):
        self.exceptions["BUILT"] = {("Alpha", "Beta")}
        self.targets["Alpha"] = target("Alpha", "Beta")
        self.check()
        self.files["Sources/Alpha/a.swift"] = "import Beta\n"
        self.check("Scripts/modules: the exception for 'Beta', which 'Alpha' declares, is not needed")

    def test_excluded_files_and_targets_without_swift(self):
        self.targets["Alpha"] = target("Alpha", exclude=["Data", "old.swift"])
        self.files["Sources/Alpha/Data/d.swift"] = self.files["Sources/Alpha/old.swift"] = "import Beta\n"
        self.targets["CGamma"] = target("CGamma", "CDelta", path="Tests/CGamma")
        self.files["Tests/CGamma/gamma.c"] = "#include <delta.h>\n"
        self.check()

    def test_a_nested_package(self):
        plugin = [{"plugin": ["ChordataGenerate", "chordata"]}]
        app = target("App", "Core@chordata", "Chordata@chordata", pluginUsages=plugin)
        self.nested["Examples/App"] = manifest(app)
        self.files["Examples/App/Sources/App/main.swift"] = "import Alpha\nimport Beta\n"
        self.check()
        self.files["Examples/App/Sources/App/main.swift"] = "import Gamma\n"
        self.check(
            "Examples/App/Sources/App/main.swift: target 'App' imports 'Gamma', "
            "which Examples/App/Package.swift does not declare for it",
            "Examples/App/Package.swift: target 'App' declares 'Core', but no file imports it",
        )

    def test_manifests_as_the_package_manager_prints_them(self):
        head = "// swift-tools-version: 6.2\nimport PackageDescription\n"
        tests = "".join(f', .testTarget(name: "{name}Tests", dependencies: ["{name}"])' for name in ["Alpha", "Beta", "Chordata"])
        self.files["Package.swift"] = head + f"""let package = Package(name: "chordata",
            products: [.library(name: "Core", targets: ["Alpha", "Beta"])],
            targets: [.target(name: "Alpha"), .target(name: "Beta"), .target(name: "Chordata"){tests}])
            """
        self.files["Examples/App/Package.swift"] = head + """
            let package = Package(name: "App", dependencies: [.package(name: "chordata", path: "../..")], targets: [
                .target(name: "Unused"),
                .executableTarget(name: "App", dependencies: [
                    .target(name: "Unused"), .product(name: "Core", package: "chordata")])])
            """
        self.files["Examples/App/Sources/App/main.swift"] = "import Beta\n"
        self.check(
            "Sources/Beta/b.swift: target 'Beta' imports 'Alpha', which Package.swift does not declare for it",
            "Tests/BetaTests/b.swift: target 'BetaTests' imports 'Alpha', which Package.swift does not declare for it",
            "Examples/App/Package.swift: target 'App' declares 'Unused', but no file imports it",
            reads_manifests=True,
        )

    # MARK: Tests

    def test_a_module_without_a_test_target(self):
        del self.targets["AlphaTests"]
        self.check("Sources/Alpha: the module has no test target 'AlphaTests'")
        self.exceptions["TESTED_BY"] = {"Alpha": "BetaTests"}
        self.check()
        self.exceptions["TESTED_BY"] = {"Alpha": "GammaTests"}
        self.check("Scripts/modules: 'GammaTests', the exception for 'Alpha', is not a test target")

    def test_a_test_target_without_a_module(self):
        self.targets["GoldenTests"] = target("GoldenTests", kind="test")
        self.check("Tests/GoldenTests: the test target has the name of no module")
        self.exceptions["TESTS_OF_SEVERAL_MODULES"] = {"GoldenTests"}
        self.check()

    def test_a_test_folder_that_is_not_one_of_the_module(self):
        self.files["Tests/ChordataTests/Merging/m.swift"] = ""
        self.check("Tests/ChordataTests/Merging: Sources/Chordata has no folder of this name")
        self.exceptions["TEST_FOLDERS"] = {"ChordataTests/Merging"}
        self.check()
        self.exceptions["TEST_FOLDERS"] = set()
        self.targets["ChordataTests"]["exclude"] = ["Merging"]
        self.check()

    def test_exceptions_that_are_not_needed(self):
        self.exceptions["TESTED_BY"] = {"Alpha": "BetaTests", "Gamma": "BetaTests"}
        self.exceptions["TESTS_OF_SEVERAL_MODULES"] = {"BetaTests"}
        self.exceptions["TEST_FOLDERS"] = {"ChordataTests/Saving"}
        self.check(
            "Scripts/modules: the exception for 'Alpha' is not needed, because 'AlphaTests' exists",
            "Scripts/modules: there is no module 'Gamma', for which there is an exception",
            "Scripts/modules: the exception for the test target 'BetaTests' is not needed",
            "Scripts/modules: the exception for the folder 'ChordataTests/Saving' is not needed",
        )

    # MARK: The table

    def test_a_module_that_the_table_does_not_list(self):
        self.files["Sources/Gamma/g.swift"] = ""
        self.check("CONTRIBUTING.md: the table 'Where things are' does not list 'Sources/Gamma'")

    def test_a_folder_that_does_not_exist(self):
        self.files["CONTRIBUTING.md"] = TABLE.replace("`Sources/Beta`", "`Sources/Beta`, `Plugins`")
        self.check("CONTRIBUTING.md: the table 'Where things are' lists 'Plugins', which is not a folder")

    def test_the_folders_of_the_runtime(self):
        self.files["Sources/Chordata/Chordata.docc/Chordata.md"] = self.files["Sources/Chordata/Undo/u.swift"] = ""
        self.check("CONTRIBUTING.md: the row of 'Sources/Chordata' does not list the folder 'Undo'")
        self.files["CONTRIBUTING.md"] = TABLE.replace("`Saving`", "`Saving`, `Undo`, `Redo`")
        self.check("CONTRIBUTING.md: the row of 'Sources/Chordata' lists 'Redo', which is not one of its folders")

    def test_a_row_that_names_a_folder_names_all(self):
        self.files["Sources/Beta/Planning/p.swift"] = self.files["Sources/Beta/Linting/l.swift"] = ""
        self.check()
        self.files["CONTRIBUTING.md"] = TABLE.replace("| pure |", "| pure, in `Planning` |")
        self.check("CONTRIBUTING.md: the row of 'Sources/Beta' does not list the folder 'Linting'")


if __name__ == "__main__":
    unittest.main()
