# Sourced by the scripts that run a program of Tests/Packages/Programs. The working folder is the package's.

# The variable is the same in all scripts, so that the library is compiled once.
export CHORDATA_WARNINGS_AS_ERRORS=1

# The programs share the build folder of the library and its tests, so that the library is compiled once. SwiftPM caches
# the plan of the last package that was built there, hence the last option.
programs=(--package-path Tests/Packages/Programs --scratch-path .build --disable-build-manifest-caching)

# build_program PRODUCT [OPTION...]: builds it, and prints the compiler's output only if the build fails.
# Scripts/test builds the programs once, and sets CHORDATA_IS_BUILT for the scripts that it calls.
build_program() {
    [ -z "${CHORDATA_IS_BUILT:-}" ] || return 0
    local log status=0
    log=$(mktemp)
    swift build "${programs[@]}" --product "$@" >"$log" 2>&1 || status=2
    [ "$status" -eq 0 ] || cat "$log"
    rm -f "$log"
    return "$status"
}

# build_test_programs: the programs of Scripts/test in one build. Building the products one by one takes 20 s, most of
# which is planning.
build_test_programs() { CHORDATA_TEST_PROGRAMS=1 swift build "${programs[@]}"; }

# program_folder [OPTION...]: the folder of the built programs.
program_folder() { swift build "${programs[@]}" "$@" --show-bin-path; }
