# Sourced by Scripts/test and .ci/run: steps with their seconds, and the table at the end.

# The same for all scripts, so that the library is compiled once.
export CHORDATA_WARNINGS_AS_ERRORS=1

step_table=""
passed=0
failed=0
failed_steps=()
# What a step counts itself, in a file, because a step runs in a shell of its own.
step_counts=$(mktemp)
step_log=$(mktemp)
step_times=$(mktemp)
# The errors of the failed steps, which are printed at the end, where a reader of a long log looks first.
failures=""
trap 'rm -f "$step_counts" "$step_log" "$step_times"' EXIT

# step NAME COMMAND...: runs a command. A step counts as one test, unless it calls count_tests.
step() {
    local name=$1 start=$SECONDS status=0 step_passed=1 step_failed=0 cpu_before
    measure_cpu
    cpu_before=$cpu
    shift
    echo "== $name (after $SECONDS s)"
    : >"$step_counts"
    # In a shell of its own, where the first command that fails ends the step.
    set +e
    (
        set -e
        "$@"
    ) 2>&1 | tee "$step_log"
    status=${PIPESTATUS[0]}
    set -e
    if [ -s "$step_counts" ]; then
        read -r step_passed step_failed <"$step_counts"
        # The run failed in another way than by a test.
        if [ "$status" -ne 0 ] && [ "$step_failed" -eq 0 ]; then step_failed=1; fi
    elif [ "$status" -ne 0 ]; then
        step_passed=0 step_failed=1
    fi
    passed=$((passed + step_passed))
    failed=$((failed + step_failed))
    local result=passed
    if [ "$status" -ne 0 ]; then
        result="FAILED ($status)"
        failed_steps+=("$name")
        failures+="== step '$name' failed with exit code $status"$'\n'$(failed_lines "$step_log")$'\n'
    fi
    measure_cpu
    step_table+=$(printf '%6d s %6d s CPU  %-12s %s' \
        $((SECONDS - start)) $((cpu - cpu_before)) "$result" "$name")$'\n'
    return 0
}

# measure_cpu: sets cpu to the seconds of CPU, user and system, of the processes that this script started and that have
# ended. Two cores that do nothing else give two of them in a second.
measure_cpu() {
    # Not in a command substitution, which would count the processes of its own shell.
    times >"$step_times"
    cpu=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$step_times")
}

# failed_lines LOG: the lines with errors, or the last lines if there is no such line.
failed_lines() {
    local found
    found=$(grep -aE '^(✘|FAIL|ERROR|Traceback|found)|recorded an issue|error:|Fatal error|TOO HIGH' "$1" | head -40 || true)
    if [ -n "$found" ]; then echo "$found"; else tail -20 "$1"; fi
}

# needed_step NAME COMMAND...: a step without which the others cannot run.
needed_step() {
    step "$@"
    if [ ${#failed_steps[@]} -gt 0 ] && [ "${failed_steps[-1]}" = "$1" ]; then finish; fi
}

# count_tests LOG: counts the tests of a step by the output of Swift Testing.
count_tests() {
    local total bad
    total=$(grep -aoE 'Test run with [0-9]+ test' "$1" | tail -1 | grep -oE '[0-9]+' || true)
    bad=$(grep -acE '^✘ Test [^ ].* failed after ' "$1" || true)
    # The last line of a failed run has the same form.
    if grep -aqE '^✘ Test run with' "$1"; then bad=$((bad - 1)); fi
    [ -n "$total" ] || return 0
    echo "$((total - bad)) $bad" >"$step_counts"
}

# finish: prints the table and ends the script.
finish() {
    printf '%s' "$failures"
    echo "== steps"
    printf '%s' "$step_table"
    measure_cpu
    printf '%6d s %6d s CPU  in all\n' "$SECONDS" "$cpu"
    if [ ${#failed_steps[@]} -gt 0 ]; then
        printf 'failed: %s\n' "${failed_steps[@]}"
    fi
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] || exit 1
    exit 0
}

# run_counted COMMAND...: a command that ends with the line 'N passed, N failed', whose tests count here.
run_counted() {
    local log status=0
    log=$(mktemp)
    "$@" 2>&1 | tee "$log" || status=$?
    tail -1 "$log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' >"$step_counts"
    rm -f "$log"
    return "$status"
}
