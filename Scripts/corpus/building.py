"""Compiles and links Swift against the runtime that the package's build left."""

import os
import threading

from commands import ROOT, run

SUPPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Support")
# Modules that Linux has, so that no empty modules are created for them.
SYSTEM_MODULES = {"Dispatch", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc", "Observation"}


class Runtime:
    """The products of the package's build."""

    # The modules that generated code is linked with.
    MODULES = ["Chordata", "ChordataModel", "ChordataPredicate", "ChordataSQL", "CChordataSQLite", "OrderedCollections",
               "InternalCollectionsUtilities"]

    def __init__(self, bin_path):
        self.bin_path = bin_path
        module_map = os.path.join(bin_path, "CChordataSQLite.build/module.modulemap")
        self.options = ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-I",
                        os.path.join(bin_path, "Modules"), "-Xcc", "-fmodule-map-file=" + module_map]

    def objects(self):
        return [
            os.path.join(folder, name)
            for module in self.MODULES
            for sources in [sources_of(module)]
            for folder, _, names in os.walk(os.path.join(self.bin_path, module + ".build"))
            for name in names
            # The object file of a deleted source remains in the folder. Other packages keep their sources elsewhere.
            if name.endswith(".o") and (not sources or name.removesuffix(".o") in sources)
        ]


def sources_of(module):
    return {name for _, _, names in os.walk(os.path.join(ROOT, "Sources", module)) for name in names}


class Builder:
    """Compiles against the runtime. The parts that are the same for all bundles are compiled and linked once, as a
    library."""

    LIBRARY = "CorpusSupport"

    def __init__(self, runtime, work, timeout=300):
        self.runtime = runtime
        self.work = work
        self.timeout = timeout
        self._lock = threading.Lock()
        self._modules = set()

    def build_support(self):
        """Builds the library of the runtime and of the code that drives it; returns the errors if there are any."""
        sources = [os.path.join(SUPPORT, name) for name in sorted(os.listdir(SUPPORT)) if name.endswith(".swift")]
        built = run(
            ["swiftc", "-emit-library", "-wmo", "-Onone", "-module-name", self.LIBRARY, *self.runtime.options,
             "-emit-module", "-emit-module-path", os.path.join(self.work, self.LIBRARY + ".swiftmodule"),
             "-o", os.path.join(self.work, f"lib{self.LIBRARY}.so"), *sources, *self.runtime.objects(), "-lsqlite3"],
            timeout=900)
        return built.errors() if built.failed else None

    def build_program(self, files, program, is_strict=True):
        """Compiles and links the program of a bundle; returns the errors if there are any."""
        built = run(
            ["swiftc", "-emit-executable", "-wmo", "-Onone", "-module-name", "CorpusGenerated", *self.runtime.options,
             "-I", self.work, "-L", self.work, "-l" + self.LIBRARY, "-Xlinker", "-rpath", "-Xlinker", self.work,
             "-o", program, *self.leniency(is_strict), *files], timeout=self.timeout)
        return built.errors() if built.failed else None

    def leniency(self, is_strict):
        """Swift warns about an empty module in place of an app's module, because nothing of it is used."""
        return [] if is_strict else ["-no-warnings-as-errors"]

    def type_check(self, files, is_strict=True):
        """Returns the errors of files if there are any."""
        checked = run(["swiftc", "-typecheck", "-module-name", "CorpusGenerated", *self.runtime.options, "-I", self.work,
                       *self.leniency(is_strict), *files], timeout=self.timeout)
        return checked.errors() if checked.failed else None

    def add_modules(self, names):
        """Creates empty modules that generated code may import."""
        with self._lock:
            for name in set(names) - self._modules - SYSTEM_MODULES:
                self._modules.add(name)
                source = os.path.join(self.work, f"Empty{name}.swift")
                with open(source, "w", encoding="utf-8") as file:
                    file.write("")
                run(["swiftc", "-emit-module", "-module-name", name, "-parse-as-library", "-emit-module-path",
                     os.path.join(self.work, name + ".swiftmodule"), source], timeout=60)
