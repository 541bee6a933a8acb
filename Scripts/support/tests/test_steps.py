"""Tests of steps.sh: what a script of steps prints, counts and returns."""

import pathlib
import re
import subprocess
import unittest

STEPS = pathlib.Path(__file__).parents[1] / "steps.sh"


def run(script: str) -> subprocess.CompletedProcess:
    text = f"set -euo pipefail\nsource '{STEPS}'\n{script}"
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, timeout=60)


class StepsTests(unittest.TestCase):
    def test_all_pass(self):
        result = run('step "one" true\nstep "two" echo hello\nfinish')
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"hello")
        self.assertRegex(result.stdout, r"(?m)^ +\d+ s +\d+ s CPU  passed +one$")
        self.assertTrue(result.stdout.endswith("2 passed, 0 failed\n"), result.stdout)

    def test_a_failed_step_is_named_and_the_others_run(self):
        result = run('bad() { echo "error: the reason"; echo noise; return 3; }\n'
                     'step "one" bad\nstep "two" echo hello\nfinish')
        self.assertEqual(result.returncode, 1)
        end = result.stdout[result.stdout.index("hello"):]
        self.assertIn("== step 'one' failed with exit code 3\nerror: the reason\n== steps", end)
        self.assertRegex(end, r"(?m)^ +\d+ s +\d+ s CPU  FAILED \(3\) +one$")
        self.assertTrue(end.endswith("failed: one\n1 passed, 1 failed\n"), end)

    def test_the_first_command_that_fails_ends_a_step(self):
        result = run('bad() { false; echo "went on"; }\nstep "one" bad\nfinish')
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("went on", result.stdout)

    def test_a_failure_without_a_reason_shows_the_last_lines(self):
        result = run('bad() { seq 100; return 1; }\nstep "one" bad\nfinish')
        end = result.stdout[result.stdout.index("== step 'one' failed"):]
        self.assertIn("\n100\n", end)
        self.assertNotIn("\n79\n", end)

    def test_a_step_that_others_need_ends_the_script(self):
        result = run('needed_step "build" false\nstep "two" echo hello\nfinish')
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("hello", result.stdout)
        self.assertTrue(result.stdout.endswith("failed: build\n0 passed, 1 failed\n"), result.stdout)

    def test_seconds_of_cpu(self):
        result = run('work() { python3 -c "import time\nwhile time.process_time() < 1.2: pass"; }\n'
                     'step "one" work\nstep "two" sleep 1\nfinish')
        cpu = {name: int(seconds) for seconds, name in
               re.findall(r"(?m)^ +\d+ s +(\d+) s CPU  passed +(\w+)$", result.stdout)}
        self.assertGreaterEqual(cpu["one"], 1)
        self.assertEqual(cpu["two"], 0)

    def test_a_step_beside_others(self):
        result = run('slow() { sleep 1; echo "error: the reason"; return 3; }\n'
                     'counted() { echo "✔ Test run with 5 tests in 1 suite passed" >log; count_tests log; rm log; }\n'
                     'cd "$(mktemp -d)"\nbegin_step "slow" slow\nstep "one" echo hello\nend_steps\n'
                     'begin_step "counted" counted\nstep "two" true\nend_steps\nfinish')
        self.assertEqual(result.returncode, 1)
        self.assertLess(result.stdout.index("hello"), result.stdout.index("error: the reason"))
        self.assertRegex(result.stdout, r"(?m)^ +\d+ s +0 s CPU  FAILED \(3\) +slow$")
        self.assertIn("== step 'slow' failed with exit code 3\nerror: the reason\n", result.stdout)
        self.assertTrue(result.stdout.endswith("failed: slow\n7 passed, 1 failed\n"), result.stdout)

    def test_two_steps_beside_a_step_that_fails(self):
        result = run('begin_step "first" sh -c "sleep 1; echo one"\n'
                     'begin_step "second" sh -c "echo two; exit 4"\n'
                     'needed_step "build" false\nstep "three" echo three\nfinish')
        self.assertEqual(result.returncode, 1)
        self.assertLess(result.stdout.index("one\n"), result.stdout.index("two\n"))
        self.assertNotIn("three", result.stdout)
        self.assertTrue(result.stdout.endswith("failed: build\nfailed: second\n1 passed, 2 failed\n"), result.stdout)

    def test_a_step_that_is_killed_fails(self):
        result = run('step "killed" bash -c "kill -9 \\$\\$"\n'
                     'begin_step "beside" bash -c "kill -9 \\$\\$"\nend_steps\nfinish')
        self.assertTrue(result.stdout.endswith("failed: killed\nfailed: beside\n0 passed, 2 failed\n"), result.stdout)

    def test_tests_are_counted(self):
        log = "✘ Test a() failed after 1 seconds.\\n✘ Test run with 3 tests in 1 suite failed after 1 seconds.\\n"
        result = run(f'counted() {{ printf "{log}" >log; cat log; count_tests log; rm log; return 1; }}\n'
                     'cd "$(mktemp -d)"\nstep "tests" counted\nfinish')
        self.assertTrue(result.stdout.endswith("2 passed, 1 failed\n"), result.stdout)
        self.assertIn("== step 'tests' failed with exit code 1\n✘ Test a() failed", result.stdout)

    def test_counts_and_reasons_of_a_script_are_taken_over(self):
        inner = f'source {STEPS}; bad() {{ echo "error: inside"; return 1; }}; step a true; step b bad; finish'
        result = run(f"step \"inner\" run_counted bash -c '{inner}'\nstep \"two\" true\nfinish")
        self.assertEqual(result.returncode, 1)
        self.assertTrue(result.stdout.endswith("failed: inner\n2 passed, 1 failed\n"), result.stdout)
        end = result.stdout[result.stdout.rindex("== step 'inner' failed"):]
        self.assertIn("error: inside", end)


if __name__ == "__main__":
    unittest.main()
