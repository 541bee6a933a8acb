"""The checks of mapping models: the tool describes them, and the stages that it writes for them type-check."""

import os

from commands import run
from results import Result

# The number of mapping models in the known corpus.
MAPPING_MODELS = 11


def models(folder):
    """All mapping models below a folder."""
    return sorted(os.path.join(above, name) for above, names, _ in os.walk(folder) for name in names
                  if name.endswith(".xcmappingmodel"))


def stage(tool, path):
    """The Swift of the stage of a mapping model, and what is wrong; one of them is None."""
    report = run([tool, "migrate", "mapping", path], timeout=60)
    written = run([tool, "migrate", "mapping", path, "--swift"], timeout=60)
    for outcome in (report, written):
        if outcome.failed:
            return None, outcome.errors()
    if "Objects of " not in report.stdout:
        return None, "none of its entities is described"
    return written.stdout, None


def scoped(number, swift):
    """A stage in a scope of its own: stages of two mapping models may have the same names."""
    lines = swift.splitlines()
    imports = [line for line in lines if line.startswith("import ")]
    rest = [line.replace("let ", "static let ", 1) if line.startswith("let ") else line
            for line in lines if not line.startswith("import ")]
    return "\n".join(imports + [f"enum Scope{number} {{"] + rest + ["}"]) + "\n"


def check_all(tool, folder, work, builder, stages):
    """Checks all mapping models. Their stages are type-checked by one call of the compiler, and one by one if that fails."""
    results, files = [], {}
    os.makedirs(work, exist_ok=True)
    for number, path in enumerate(models(folder)):
        result = Result(os.path.relpath(path, folder))
        results.append(result)
        with result.isolated("migrate mapping"), stages.measure("mapping models"):
            swift, problem = stage(tool, path)
            if problem:
                result.fail("migrate mapping", problem)
                continue
            file = os.path.join(work, f"Stage{number}.swift")
            with open(file, "w", encoding="utf-8") as output:
                output.write(scoped(number, swift))
            files[file] = result
    with stages.measure("mapping models"):
        problem = builder.type_check(list(files)) if files else None
        for file, result in files.items():
            own = problem and builder.type_check([file])
            if own:
                result.fail("migrate mapping", own)
            else:
                result.passed.append("described and written as a stage that type-checks")
                result.counts["mapping models"] += 1
    if problem and not any(result.failures for result in files.values()):
        results.append(Result("mapping models"))
        results[-1].fail("migrate mapping", f"all stages together: {problem}")
    return results
