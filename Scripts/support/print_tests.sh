# Sourced by the scripts that run the tests.

# print_tests LOG: the seeds, the failures with their messages, and the last line of an output of Swift Testing; a line
# for each test that passes is too much to read.
print_tests() {
    grep -av '^[◇✔➜] \|^↳ T[ea][^ ]* \(Library\|Platform\)\|^\[\|^skipped case: ' "$1" | cut -c1-1000 || true
    grep -a '✔ Test run with' "$1" || true
}
