"""All checks of one bundle, in their order."""

import os
import shutil

import bundlefiles
import generated
import migrations
import oracles
import roundtrip
import versions
from forms import UnknownForm


class BundleCheck:
    """The checks of a bundle, with the state that they share."""

    def __init__(self, tool, builder, is_thorough, stages):
        self.tool = tool
        self.builder = builder
        self.is_thorough = is_thorough
        self.stages = stages

    def check(self, bundle, folder, result):
        """Runs all checks; the folder is made, used for scratch and removed."""
        os.makedirs(folder)
        with result.isolated("bundle"):
            self.check_files(bundle, result)
            current = bundlefiles.current(bundle)
            if current in bundlefiles.versions(bundle):
                if any((result.path, current) == (path, last) for path, _, last in oracles.REFUSED):
                    # The step into the current version cannot be inferred, and a configuration must accept that.
                    bundle = migrations.accepting(bundle, os.path.join(folder, "accepting"))
                self.check_readable(bundle, current, folder, result)
            else:
                self.check_refusal(bundle, result)
        shutil.rmtree(folder, ignore_errors=True)

    def check_files(self, bundle, result):
        """Reports the versions whose format is not known; the others are checked nevertheless."""
        for name, reason in bundlefiles.unreadable(bundle).items():
            result.unknown.append(f"version '{name}': {UnknownForm(reason, None)}")

    def check_refusal(self, bundle, result):
        """The tool has to refuse a bundle whose current version it cannot read."""
        with self.stages.measure("validate"):
            if versions.validate(self.tool, bundle) is None:
                result.fail("validate", "accepts a bundle whose current version cannot be read")
            else:
                result.passed.append("refused")

    def check_readable(self, bundle, current, folder, result):
        is_valid = False
        with result.isolated("validate"), self.stages.measure("validate"):
            problem = versions.validate(self.tool, bundle)
            if problem:
                result.fail("validate", problem)
                if "[CD0401]" in problem:
                    # A step that cannot be inferred is the only error: the rest is checked with a configuration that
                    # accepts it.
                    bundle = migrations.accepting(bundle, os.path.join(folder, "accepting"))
                    is_valid = versions.validate(self.tool, bundle) is None
            else:
                result.counts["valid"] += 1
                result.passed.append("valid")
                is_valid = True
        readable = bundlefiles.versions(bundle)
        checked = readable if self.is_thorough else {current: readable[current]}
        with result.isolated("format"), self.stages.measure("format"):
            # The tool does not compare models that it rejects.
            problems = versions.format_round_trip(self.tool, bundle, os.path.join(folder, "formatted"), checked if is_valid else ())
            for problem in problems:
                result.fail("format", problem)
            if not problems:
                result.counts["formatted"] += 1
                result.passed.append("formatted")
        with result.isolated("migrate"):
            migrations.check(self.tool, bundle, folder, self.is_thorough, result, self.stages)
        for version, contents in checked.items():
            result.counts["versions"] += 1
            with result.isolated(f"version '{version}'"):
                self.check_version(bundle, version, contents, os.path.join(folder, "version"), version == current, is_valid, result)
        result.passed.append(f"{result.counts['agreed']} of {len(checked)} versions as counted")
        result.passed.append(f"{result.counts['checked']} compiled")

    def check_version(self, bundle, version, contents, folder, is_current, is_valid, result):
        """Generates a version and counts its parts. The current one makes a round trip, any other one is type-checked."""
        with self.stages.measure("generate"):
            problem = versions.generate(self.tool, bundle, version, folder, "public" if is_current else "internal")
        if problem:
            # A problem that 'validate' reports is not reported a second time.
            if is_valid or not is_current:
                result.fail(f"generate '{version}'", problem)
            return
        with result.isolated(f"count '{version}'"):
            problem = versions.check_counts(contents, generated.text(folder))
            if problem:
                result.fail(f"count '{version}'", problem)
            else:
                result.counts["agreed"] += 1
        before = result.counts["checked"]
        if is_current:
            with result.isolated("round trip"):
                roundtrip.check(bundle, contents, folder, self.builder, result, self.stages)
            if result.counts["checked"] > before or any(text.startswith("type-check") for text in result.failures):
                return
            # No round trip has compiled it.
            driver = os.path.join(folder, "Driver.swift")
            if os.path.exists(driver):
                os.remove(driver)
        with self.stages.measure("type-check"):
            problem = versions.type_check(contents, folder, self.builder)
        if problem:
            result.fail(f"type-check '{version}'", problem)
        else:
            result.counts["checked"] += 1
