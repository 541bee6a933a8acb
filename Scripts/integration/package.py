"""The integration package, for editing, building and inspecting it."""

import os
import re
import shutil
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PACKAGES = os.path.join(ROOT, "Tests", "Packages")


class Failure(Exception):
    pass


def expect(condition, message, result=None):
    if not condition:
        output = "" if result is None else f"\n{result.args}\nexit code {result.returncode}\n{result.stdout}"
        raise Failure(message + output)


class Package:
    """A copy of a package of the tests, built by one build system."""

    def __init__(self, system, name="Integration", has_own_library=False):
        self.system = system
        # The copy is beside the original, so that relative paths out of the package refer to the same places.
        self.folder = os.path.join(PACKAGES, f".build-{name}")
        # The native build system reuses the library that the tests of the root package were built with; the other one
        # builds everything again for each folder, as is necessary for a package that enables a trait of the library.
        self.scratch = {
            "native": os.path.join(PACKAGES, f".build-{name}-library") if has_own_library else os.path.join(ROOT, ".build"),
            "swiftbuild": os.path.join(PACKAGES, f".build-{name}-swiftbuild"),
        }[system]
        self.is_built = False
        shutil.rmtree(self.folder, ignore_errors=True)
        ignored = shutil.ignore_patterns(".build*", "Package.resolved")
        shutil.copytree(os.path.join(PACKAGES, name), self.folder, symlinks=True, ignore=ignored)

    # Files

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def replace(self, name, old, new):
        text = self.read(name)
        expect(old in text, f"{name} has no {old!r}")
        self.write(name, text.replace(old, new))

    def remove(self, name):
        path = self.path(name)
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.remove(path)

    # Builds

    @property
    def environment(self):
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        environment.pop("CHORDATA_WARNINGS_AS_ERRORS", None)
        # With the native build system, the library is the one that the tests use.
        if self.system == "native":
            environment["CHORDATA_WARNINGS_AS_ERRORS"] = "1"
        return environment

    def swift(self, *arguments):
        """Runs `swift build` or `swift package`, with output and errors together."""
        options = ["--build-system", self.system, "--scratch-path", self.scratch]
        if self.system == "native" and not self.is_built:
            # SwiftPM keeps its plan as long as the package for which it was made is unchanged, although this is another
            # package.
            options.append("--disable-build-manifest-caching")
        self.is_built = True
        command = ["swift", arguments[0], *options, *arguments[1:]]
        for attempt in range(3):
            result = subprocess.run(
                command,
                cwd=self.folder,
                env=self.environment,
                text=True,
                timeout=590,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            # SwiftPM of Swift 6.3 occasionally crashes while it plans; a crash of a program that it runs would give an
            # exit code.
            if result.returncode >= 0:
                break
            print(f"{self.system}: SwiftPM ended by signal {-result.returncode}, attempt {attempt + 1}", flush=True)
        return result

    def build(self, product="NotesApp"):
        """Builds what must build, without a warning; returns the output."""
        result = self.swift("build", *(["--product", product] if product else []))
        expect(result.returncode == 0, "the build failed", result)
        # The second build system warns about an argument of its own, and about outputs that are no longer produced.
        warnings = [line for line in result.stdout.split("\n") if re.search("warning: (?!Stale|.*-rdynamic)", line)]
        expect(not warnings, f"the build warned: {warnings}")
        return result.stdout

    def fail(self):
        """Builds what must not build; returns the output."""
        result = self.swift("build", "--product", "NotesApp")
        expect(result.returncode != 0, "the build did not fail", result)
        return result.stdout

    def fail_at(self, name, text, message):
        """Builds a model with a mistake: the error must be at the location of the text. Builds twice, because the error
        must remain."""
        for _ in range(2):
            said = self.fail()
            errors = re.findall(r"^(/.+?):(\d+):(\d+): error: (.*)$", said, re.MULTILINE)
            expect(errors, f"no error with a place in:\n{said}")
            for path, line, column, found in errors:
                expect(os.path.samefile(path, self.path(name)), f"an error at {path}")
                with open(path, encoding="utf-8") as file:
                    place = file.read().split("\n")[int(line) - 1][int(column) - 1 :]
                expect(place.startswith(text), f"{line}:{column} is {place!r}, not {text!r}")
                expect(message in found, f"{found!r} does not say {message!r}")

    def program(self, app):
        """The path of an app that was built."""
        return os.path.join(self.swift("build", "--show-bin-path").stdout.strip().split("\n")[-1], app)

    def run(self, app, *arguments):
        command = [self.program(app), *arguments]
        result = subprocess.run(command, env=dict(os.environ, SWIFT_BACKTRACE="enable=no"), text=True, capture_output=True, timeout=120)
        expect(result.returncode == 0, f"{app} failed:\n{result.stdout}{result.stderr}")
        return result.stdout

    def generated(self, name):
        """The text of a generated file of the Notes app, or nothing if it does not exist."""
        files = [path for path in self.products() if path.endswith("/" + name)]
        expect(len(files) < 2, f"{files} are two")
        if not files:
            return None
        with open(files[0], encoding="utf-8") as file:
            return file.read()

    def expect_only(self, before):
        """Fails if something was written since the list of products was made."""
        after = self.products()
        changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
        expect(not changed, f"written or removed: {changed}")

    def products(self):
        """The generated Swift and the objects of the Notes app, with the times at which they were written."""
        identity = os.path.basename(self.folder).lower()
        folders = [os.path.join(self.scratch, "plugins", "outputs", identity, "NotesApp")]
        if self.system == "native":
            folders.append(os.path.join(self.scratch, "debug", "NotesApp.build"))
        else:
            folders.append(os.path.join(self.scratch, "out", "Intermediates.noindex"))
        found = {}
        for folder, directories, files in (entry for folder in folders for entry in os.walk(folder)):
            for name in files:
                path = os.path.join(folder, name)
                # The second build system has an object of the whole module too, which it sometimes links again.
                is_object = name.endswith(".o") and "/NotesApp.build/" in path and "/Modules/" not in path
                if name.endswith(".swift") or is_object:
                    found[path] = os.stat(path).st_mtime_ns
        return found
