#!/usr/bin/env python3
"""Runs real models through Chordata.

Each bundle is read, formatted and compared with itself; its current version is generated, counted by an independent reader,
compiled, and makes a round trip: objects with all properties are inserted, saved, read and compared, and every generated function
is called. Every step between versions is planned and compared with what is known of Core Data, and the last step into the current
version is verified with stores. All results are printed as they come. A form of model that these scripts do not know is reported
as UNKNOWN, with the element and the attribute, and hides nothing else.

With --thorough every version is generated, counted and type-checked, every migration is verified, and the tool is built in
release.

usage: check.py FOLDER [--thorough] [--skips N] [--no-build] [--tool PATH] [--products FOLDER] [--jobs N]
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bundlefiles  # noqa: E402
import commands  # noqa: E402
import mappings  # noqa: E402
import oracles  # noqa: E402
import summary  # noqa: E402
from building import Builder, Runtime  # noqa: E402
from bundlecheck import BundleCheck  # noqa: E402
from results import Report, Result, Stages  # noqa: E402

# The product of the command line that other targets can depend on; 'chordata' is the same target.
TOOL = "ChordataTool"


def build(is_thorough):
    """Builds the runtime and the tool. A thorough check has it optimised, because it generates every version of every bundle."""
    build = ["swift", "build", "--package-path", commands.ROOT, "--disable-build-manifest-caching", "--product"]
    # The same product as Scripts/test builds: it has the tool and the runtime.
    for command in [build + ["chordataPackageTests"]] + ([build + [TOOL, "-c", "release"]] if is_thorough else []):
        built = commands.run(command, timeout=3000)
        if built.failed:
            sys.exit(f"error: {built.errors()}")


def arguments(words=None):
    parser = argparse.ArgumentParser(description="Runs real models through Chordata.")
    parser.add_argument("folder")
    parser.add_argument("--thorough", action="store_true", help="check all versions and verify all migrations")
    parser.add_argument("--skips", type=int, default=0, help="how many things cannot be tried in a round trip")
    parser.add_argument("--no-build", action="store_true", help="use the products of the last build")
    parser.add_argument("--tool", help="the tool to check, instead of the package's own")
    parser.add_argument("--products", help="the folder of the debug build, which has the runtime")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many bundles are checked at a time")
    return parser.parse_args(words)


def weight(bundle):
    """Returns roughly how long a bundle takes: the slowest bundles come first, so that none of them runs alone at the
    end."""
    sizes = [os.path.getsize(path) for path in bundlefiles.versions(bundle).values()]
    return sum(sizes) + 3 * max(sizes, default=0)


def isolated(result, stage, work):
    """A job whose exceptions are results too."""
    def job():
        with result.isolated(stage):
            work()
        return [result]
    return job


def bundle_jobs(bundles, folder, work, checker):
    """The job of each bundle, the slowest first."""
    results = {bundle: Result(os.path.relpath(bundle, folder)) for bundle in bundles}
    weights = {}
    for bundle, result in results.items():
        with result.isolated("bundle"):
            weights[bundle] = weight(bundle)
    ordered = sorted(bundles, key=lambda bundle: weights.get(bundle, 0), reverse=True)
    return [
        isolated(results[bundle], "bundle", lambda bundle=bundle, number=number: checker.check(
            bundle, os.path.join(work, f"bundle{number}"), results[bundle]))
        for number, bundle in enumerate(ordered)
    ]


def run_jobs(jobs, count, report):
    """Runs jobs side by side and reports their results as they come."""
    pool = ThreadPoolExecutor(max_workers=count)
    try:
        for future in as_completed([pool.submit(job) for job in jobs]):
            for result in future.result():
                report.add(result)
    finally:
        # An interrupted check starts no more jobs, and ends those that are running.
        pool.shutdown(wait=False, cancel_futures=True)
        commands.stop_all()
        pool.shutdown(wait=True)


def main():
    options = arguments()
    bundles = bundlefiles.bundles(options.folder)
    if not bundles:
        sys.exit(f"error: there is no model in {options.folder}")
    # Termination from outside removes the scratch files too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("error: ended from outside"))
    started, stages, report = time.monotonic(), Stages(), Report()
    if not options.no_build:
        with stages.measure("build"):
            build(options.thorough)
    products = options.products or os.path.join(commands.ROOT, ".build/debug")
    tool_folder = os.path.join(commands.ROOT, ".build/release") if options.thorough else products
    tool = os.path.abspath(options.tool or os.path.join(tool_folder, TOOL))
    for path in (tool, os.path.join(products, "Modules")):
        if not os.path.exists(path):
            sys.exit(f"error: there is no '{path}'; build the package, or give --tool and --products")
    with tempfile.TemporaryDirectory(prefix="chordata-corpus-") as work:
        builder = Builder(Runtime(products), work, timeout=900 if options.thorough else 300)
        with stages.measure("library of the runtime"):
            problem = builder.build_support()
        if problem:
            sys.exit(f"error: the support of the round trips does not build: {problem}")
        checker = BundleCheck(tool, builder, options.thorough, stages)
        jobs = bundle_jobs(bundles, options.folder, work, checker)

        def pair_job(number, pair, is_inferred):
            def job():
                with stages.measure("migrate plan"):
                    folder = os.path.join(work, f"pair{number}")
                    return [oracles.check_pair(tool, options.folder, folder, pair, is_inferred)]
            return job
        pairs = oracles.pairs(options.folder)
        jobs += [pair_job(number, *pair) for number, pair in enumerate(pairs)]
        jobs.append(lambda: mappings.check_all(tool, options.folder, os.path.join(work, "mappings"), builder, stages))
        run_jobs(jobs, options.jobs, report)
    problems = summary.print_all(report, options, len(bundles), len(pairs))
    print(f"corpus: {time.monotonic() - started:.0f} s, of which by stage, added up over {options.jobs} jobs:")
    print("\n".join(stages.table()), flush=True)
    if problems:
        sys.exit("error: " + "; ".join(problems))


if __name__ == "__main__":
    main()
