# Sourced by Scripts/test and .ci/run: steps with their seconds, and the table at the end.

# The variable is the same in all scripts, so that the library is compiled once.
export CHORDATA_WARNINGS_AS_ERRORS=1

step_table=""
passed=0
failed=0
failed_steps=()
# The errors of the failed steps, which are printed at the end, where a reader of a long log looks first.
failures=""
# Each step has files here: its output, what it counts itself, its seconds of CPU, and those of the clock.
step_folder=$(mktemp -d)
background_names=()
background_pids=()
trap 'kill "${background_pids[@]}" 2>/dev/null || true; rm -rf "$step_folder"' EXIT

# step NAME COMMAND...: runs a command. A step counts as one test, unless it calls count_tests.
step() {
    local name=$1
    shift
    echo "== $name (after $SECONDS s)"
    set +e
    run_step foreground "$@" 2>&1 | tee "$step_folder/foreground.log"
    set -e
    record_step "$name" foreground
}

# begin_step NAME COMMAND...: starts a step in parallel with the next steps. It must not lock SwiftPM's build folder.
begin_step() {
    local name=$1 files=background${#background_names[@]}
    shift
    echo "== $name begins (after $SECONDS s)"
    run_step "$files" "$@" >"$step_folder/$files.log" 2>&1 &
    background_names+=("$name")
    background_pids+=("$!")
}

# end_steps: waits for the steps that begin_step started, and prints their output.
end_steps() {
    local index name
    for index in "${!background_names[@]}"; do
        name=${background_names[index]}
        wait "${background_pids[index]}" || true
        echo "== $name ended (after $SECONDS s)"
        cat "$step_folder/background$index.log"
        record_step "$name" "background$index"
    done
    background_names=()
    background_pids=()
}

# run_step FILES COMMAND...: runs a command in a shell of its own, where the first command that fails ends the step.
run_step() {
    step_files=$step_folder/$1
    local start=$SECONDS status=0
    shift
    : >"$step_files.counts"
    set +e
    (
        set -e
        "$@"
    )
    status=$?
    times >"$step_files.times"
    echo "$status $((SECONDS - start))" >"$step_files.result"
}

# record_step NAME FILES: adds a step that ended to the table.
record_step() {
    local name=$1 files=$step_folder/$2 status=1 seconds=0 step_passed=1 step_failed=0 result=passed
    read -r status seconds <"$files.result" || true
    if [ -s "$files.counts" ]; then
        read -r step_passed step_failed <"$files.counts"
        # The run failed, but not because of a test.
        if [ "$status" -ne 0 ] && [ "$step_failed" -eq 0 ]; then step_failed=1; fi
    elif [ "$status" -ne 0 ]; then
        step_passed=0 step_failed=1
    fi
    passed=$((passed + step_passed))
    failed=$((failed + step_failed))
    if [ "$status" -ne 0 ]; then
        result="FAILED ($status)"
        failed_steps+=("$name")
        failures+="== step '$name' failed with exit code $status"$'\n'$(failed_lines "$files.log")$'\n'
    fi
    step_table+=$(printf '%6d s %6d s CPU  %-12s %s' "$seconds" "$(cpu_seconds "$files.times")" "$result" "$name")$'\n'
    rm -f "$files".*
}

# cpu_seconds FILE: the seconds of CPU, user and system, of the processes that ended in a shell, by the output of its
# 'times'. Two cores that are otherwise idle provide two such seconds in one second.
cpu_seconds() { awk -F '[ms ]+' 'NR == 2 { printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }' "$1"; }

# failed_lines LOG: the lines with errors, or the last lines if there is no such line.
failed_lines() {
    local found
    found=$(grep -aE '^(✘|FAIL|ERROR|Traceback|found)|recorded an issue|^↳ |error:|Fatal error|TOO HIGH' "$1" | head -40 || true)
    if [ -n "$found" ]; then echo "$found"; else tail -20 "$1"; fi
}

# needed_step NAME COMMAND...: a step without which the others cannot run.
needed_step() {
    step "$@"
    if [ ${#failed_steps[@]} -gt 0 ] && [ "${failed_steps[-1]}" = "$1" ]; then
        end_steps
        finish
    fi
}

# count_tests LOG: counts the tests of a step by the output of Swift Testing.
count_tests() {
    local total bad
    total=$(grep -aoE 'Test run with [0-9]+ test' "$1" | tail -1 | grep -oE '[0-9]+' || true)
    bad=$(grep -acE '^✘ Test [^ ].* failed after ' "$1" || true)
    # The last line of a failed run has the same form.
    if grep -aqE '^✘ Test run with' "$1"; then bad=$((bad - 1)); fi
    [ -n "$total" ] || return 0
    echo "$((total - bad)) $bad" >"$step_files.counts"
}

# finish: prints the table and ends the script.
finish() {
    printf '%s' "$failures"
    echo "== steps"
    printf '%s' "$step_table"
    times >"$step_folder/times"
    printf '%6d s %6d s CPU  in all\n' "$SECONDS" "$(cpu_seconds "$step_folder/times")"
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
    tail -1 "$log" | sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' >"$step_files.counts"
    rm -f "$log"
    return "$status"
}
