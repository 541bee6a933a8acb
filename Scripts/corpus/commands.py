"""Commands that the checks run, and the errors among what they print."""

import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", env=ENVIRONMENT, **options)


def errors(text):
    """The errors among diagnostics, or what was said last."""
    lines = text.splitlines()
    return "\n".join([line for line in lines if "error:" in line][:20] or lines[-3:])


class Runtime:
    """The runtime as the package's build left it."""

    # What generated code is linked with.
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
            for folder, _, names in os.walk(os.path.join(self.bin_path, module + ".build"))
            for name in names
            if name.endswith(".o") and self.has_source(module, name.removesuffix(".o"))
        ]

    def has_source(self, module, name):
        """Whether an object file is not left of a source that is gone; of other packages' modules none is."""
        root = os.path.join(ROOT, "Sources", module)
        return not os.path.isdir(root) or any(name in names for _, _, names in os.walk(root))
