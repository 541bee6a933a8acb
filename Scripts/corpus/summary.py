"""The lines at the end of a check, and the reasons why it fails."""

import mappings
import oracles


def print_all(report, options, bundle_count, pair_count):
    """Prints the findings of all checks; returns the problems."""
    total = report.total
    count = bundle_count
    mapping_count = len(mappings.models(options.folder))
    skipped, unknown, failures = report.all("skipped"), report.all("unknown"), report.all("failures")
    lines = [
        f"{total('valid')} of {count} bundles are valid",
        f"{total('formatted')} of {count} bundles are the same after 'format', and formatting them again changes nothing",
        f"{total('agreed')} of {total('versions')} versions agree with the independent count",
        f"{total('checked')} of {total('versions')} versions type-check",
        f"{total('inferred')} steps between versions inferred, {total('unchanged')} without a change of stores, "
        f"{len(refused(report))} refused",
        f"{total('verified')} {'older versions migrate to the current one' if options.thorough else 'last steps are verified'}, "
        f"{total('behind gaps')} are behind a refused step",
    ]
    if pair_count:
        lines.append(f"{total('pairs')} of {pair_count} pairs are inferred or refused as Core Data does")
    lines += [
        f"{total('mapping models')} of {mapping_count} mapping models are described and written as stages that type-check",
        f"{total('round trips')} of {count} bundles: {total('entities')} entities, {total('properties')} properties set and "
        f"compared, {total('functions')} functions called, {len(skipped) + total('unknown properties')} skipped "
        f"({total('comparisons')} comparisons)",
        f"{len(failures)} failures in {paths(failures)} bundles, {len(unknown)} unknown forms in {paths(unknown)}",
    ]
    for line in lines:
        print("corpus: " + line)
    return problems(report, options, mapping_count)


def refused(report):
    return {step for result in report.results for step in result.refused}


def paths(texts):
    return len({path for path, _ in texts})


def problems(report, options, mapping_count):
    """The reasons why the check fails, in words."""
    failures, unknown, skipped = report.all("failures"), report.all("unknown"), report.all("skipped")
    found = []
    if failures:
        found.append(f"{len(failures)} failures in {paths(failures)} bundles: a real model is not valid, not the same after it was "
                     "formatted, not generated, not migrated, or lost something; see FAILED above")
    if unknown:
        found.append(f"{len(unknown)} forms in {paths(unknown)} bundles are unknown to these scripts; see UNKNOWN above")
    if len(skipped) != options.skips:
        found.append(f"{len(skipped)} things could not be tried, instead of {options.skips}; see SKIPPED above")
    if oracles.is_known(options.folder):
        more, fewer = refused(report) - set(oracles.REFUSED), set(oracles.REFUSED) - refused(report)
        if more:
            found.append(f"steps are refused that 'oracles.py' does not have: {sorted(more)}")
        if fewer:
            found.append(f"steps are not refused that 'oracles.py' has: {sorted(fewer)}")
        if mapping_count < mappings.MAPPING_MODELS:
            found.append(f"there are {mapping_count} mapping models instead of {mappings.MAPPING_MODELS}")
    return found
