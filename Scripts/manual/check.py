#!/usr/bin/env python3
"""Checks the programs of the manual.

usage: check.py quick|thorough

'quick' type-checks the program of each task page, and runs the page 'Getting Started' in the build folder of the library.
'thorough' builds and runs all programs, compares what they print with the pages, and runs 'Getting Started' as a newcomer does, with
a clone of the repository beside an empty folder.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from page import Failure, Page  # noqa: E402

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
CATALOG = os.path.join(ROOT, "Sources", "Chordata", "Chordata.docc")
MODEL = os.path.join(ROOT, "Tests", "Packages", "Manual", "Shop.xcdatamodeld")
SCRATCH = os.path.join(ROOT, ".build")
TASKS = [
    "Background-Work",
    "Coming-from-Core-Data",
    "Fetch-Objects",
    "Full-Text-Search",
    "Migrations-by-Hand",
    "Monitoring-a-Store",
    "Persistent-History",
    "Save-and-Resolve-Conflicts",
    "Servers",
    "Several-Stores",
    "Show-Lists",
    "Testing",
]

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Manual",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "chordata", path: "../../..")],
    targets: [%s].map { (name: String, model: String) in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "Chordata", package: "chordata")],
            exclude: [model],
            swiftSettings: [.treatAllWarnings(as: .error)],
            plugins: [.plugin(name: "ChordataGenerate", package: "chordata")]
        )
    }
)
"""


def environment(**more):
    return dict(os.environ, SWIFT_BACKTRACE="enable=no", CHORDATA_WARNINGS_AS_ERRORS="1", **more)


def run(arguments, folder, seconds=600):
    result = subprocess.run(
        arguments, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds
    )
    if result.returncode != 0:
        raise Failure(f"{' '.join(arguments)}\nexit code {result.returncode}\n{result.stdout}")
    return result.stdout


def task_pages():
    return [Page(os.path.join(CATALOG, name + ".md")) for name in TASKS]


def model_page_shows_the_model():
    """The page about model files must contain the model of the other pages."""
    page = Page(os.path.join(CATALOG, "The-Model-File.md"))
    with open(os.path.join(MODEL, "Shop.xcdatamodel", "contents"), encoding="utf-8") as file:
        contents = file.read().strip()
    if contents not in [block.text.strip() for block in page.blocks if block.language == "xml"]:
        raise Failure("The-Model-File.md does not contain the model in Tests/Packages/Manual")


def copy_model(page, folder):
    """The model of a page in a folder: one that the page contains, or the one of the page about model files."""
    for block in page.blocks:
        if block.language == "xml" and block.file and block.file.endswith("/contents"):
            path = os.path.join(folder, block.file)
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write(block.text)
            return os.path.join(folder, block.file.split("/")[0])
    return shutil.copytree(MODEL, os.path.join(folder, os.path.basename(MODEL)))


def type_check_programs():
    for page in task_pages():
        with tempfile.TemporaryDirectory() as folder:
            run([os.path.join(SCRATCH, "debug", "chordata-generate"), copy_model(page, folder), "--output", folder], folder)
            generated = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".swift")]
            type_check(folder, page.program, generated, page.name, page.with_lines_of_the_page)


def type_check(folder, program, generated, name, located):
    main = os.path.join(folder, "main.swift")
    with open(main, "w", encoding="utf-8") as file:
        file.write(program)
    modules = os.path.join(SCRATCH, "debug")
    options = ["-swift-version", "6", "-warnings-as-errors", "-module-name", "Manual", "-wmo"]
    options += ["-I", os.path.join(modules, "Modules")]
    options += ["-Xcc", f"-fmodule-map-file={modules}/CChordataSQLite.build/module.modulemap"]
    # The program is compiled to SIL, because the compiler checks isolation only then.
    output = subprocess.run(
        ["swiftc", "-emit-sil", "-o", os.devnull, *options, main, *generated],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if output.returncode != 0:
        raise Failure(f"{name}: the program does not compile\n" + located(output.stdout, main))


def type_check_readme():
    """The program of the README must work with the model that the README creates."""
    readme = Page(os.path.join(ROOT, "README.md"))
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        command = re.search(r"`swift run chordata (model new \S+ --entity '.*?')`", file.read())[1]
    program = [block.text for block in readme.program_blocks if block.text.startswith("import Chordata")]
    if len(program) != 1:
        raise Failure("README.md needs one block of Swift that begins with 'import Chordata'")
    with tempfile.TemporaryDirectory() as folder:
        tool = os.path.join(SCRATCH, "debug", "ChordataTool")
        model = run([tool, *shlex.split(command)], folder).strip()
        run([os.path.join(SCRATCH, "debug", "chordata-generate"), model, "--output", "."], folder)
        generated = [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".swift")]
        type_check(folder, program[0], generated, "README.md", lambda text, _: text)


def run_programs():
    folder = os.path.join(ROOT, "Tests", "Packages", ".build-Manual")
    shutil.rmtree(folder, ignore_errors=True)
    pages = task_pages()
    # A module with the name of a page, such as 'Testing', would hide another one in the build folder.
    names = ["Manual" + page.name.replace("-", "") for page in pages]
    targets = []
    for page, name in zip(pages, names):
        sources = os.path.join(folder, "Sources", name)
        os.makedirs(sources)
        targets.append(f'("{name}", "{os.path.basename(copy_model(page, sources))}")')
        with open(os.path.join(sources, "main.swift"), "w", encoding="utf-8") as file:
            file.write(page.program)
    with open(os.path.join(folder, "Package.swift"), "w", encoding="utf-8") as file:
        file.write(MANIFEST % ", ".join(targets))
    options = ["--scratch-path", SCRATCH, "--disable-build-manifest-caching"]
    run(["swift", "build", *options], folder, 1800)
    for page, name in zip(pages, names):
        with tempfile.TemporaryDirectory() as place:
            result = subprocess.run(
                [os.path.join(SCRATCH, "debug", name)],
                cwd=place,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=120,
            )
        if result.returncode != 0:
            raise Failure(f"{page.name}: exit code {result.returncode}\n{result.stdout}")
        if result.stdout.strip() != page.expected_output:
            raise Failure(f"{page.name}: the program printed\n{result.stdout}\ninstead of\n{page.expected_output}")
    shutil.rmtree(folder)


def getting_started(is_verbatim):
    page = Page(os.path.join(CATALOG, "Getting-Started.md"))
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "todo")
        os.makedirs(folder)
        shell = ""
        if is_verbatim:
            run(["git", "clone", "--quiet", ROOT, os.path.join(place, "chordata")], place)
        else:
            # The existing build is used.
            options = f"--scratch-path '{SCRATCH}' --disable-build-manifest-caching"
            shell = f'swift() {{ local command=$1; shift; command swift "$command" {options} "$@"; }}\n'
            page.replace('.package(path: "../chordata")', f'.package(name: "chordata", path: "{ROOT}")')
        page.follow(folder, shell, environment())


CHECKS = {
    "quick": [model_page_shows_the_model, type_check_readme, type_check_programs, lambda: getting_started(False)],
    "thorough": [model_page_shows_the_model, type_check_readme, run_programs, lambda: getting_started(True)],
}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in CHECKS:
        sys.exit(__doc__)
    for check in CHECKS[sys.argv[1]]:
        start = time.time()
        try:
            check()
        except Failure as failure:
            print(f"error: {failure}")
            sys.exit(1)
        name = "Getting Started" if check.__name__ == "<lambda>" else check.__name__.replace("_", " ")
        print(f"{name}, {time.time() - start:.1f} s")


if __name__ == "__main__":
    main()
