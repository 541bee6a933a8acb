"""Results of the checks: they are kept for each bundle, printed as they come, and counted."""

import collections
import contextlib
import os
import threading
import time
import traceback

from forms import Impossible, UnknownForm


class Result:
    """The results of the checks of a bundle, or of another item with a path."""

    def __init__(self, path):
        self.path = path
        self.failures = []
        self.unknown = []
        self.skipped = []
        # Descriptions of the checks that passed, and counts of what passed by kind, for the summary.
        self.passed = []
        self.counts = collections.Counter()
        self.refused = set()

    def fail(self, stage, text):
        self.failures.append(f"{stage}: {text}")

    @contextlib.contextmanager
    def isolated(self, stage):
        """Turns an exception into a result, so that one model cannot hide the results of the others."""
        try:
            yield
        except UnknownForm as form:
            self.unknown.append(f"{stage}: {form}")
        except Impossible as reason:
            self.skipped.append(f"{stage}: {reason}")
        except Exception as error:  # Any defect of the scripts: the run must continue.
            self.unknown.append(f"{stage}: the scripts ended with {described(error)}")

    def lines(self):
        """The lines to print: what passed, then every problem."""
        kinds = [("FAILED", self.failures), ("UNKNOWN", self.unknown), ("SKIPPED", self.skipped)]
        head = "checked" if any(texts for _, texts in kinds) else "ok"
        return [f"{head} {self.path}: {', '.join(self.passed) or 'nothing passed'}"] + [
            f"{kind} {self.path}: {text}" for kind, texts in kinds for text in texts
        ]


def described(error):
    """An exception with the place in the scripts that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


class Report:
    """Prints results as they come, from any thread, and adds them up."""

    def __init__(self, write=None):
        self.results = []
        self._write = write or (lambda line: print(line, flush=True))
        self._lock = threading.Lock()

    def add(self, result):
        with self._lock:
            self.results.append(result)
            for line in result.lines():
                self._write(line)

    def total(self, name):
        return sum(result.counts[name] for result in self.results)

    def all(self, kind):
        """All (path, text) of `failures`, `unknown` or `skipped`."""
        return [(result.path, text) for result in self.results for text in getattr(result, kind)]


class Stages:
    """The seconds that each stage took, added up over all bundles and threads."""

    def __init__(self):
        self._seconds = collections.Counter()
        self._counts = collections.Counter()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def measure(self, name):
        start = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._seconds[name] += time.monotonic() - start
                self._counts[name] += 1

    def table(self):
        """The stages as lines, the slowest first."""
        rows = [(name, f"{seconds:.1f}", str(self._counts[name])) for name, seconds in self._seconds.most_common()]
        rows.insert(0, ("stage", "seconds", "times"))
        return [f"  {name:<24}{seconds:>9}{count:>7}" for name, seconds, count in rows]
