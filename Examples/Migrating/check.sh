#!/usr/bin/env bash
# Creates a store of the first version, migrates it, and compares the output of the programs with the expected text.
#
# usage: check.sh FOLDER
# FOLDER has the built programs; `swift build --show-bin-path` prints it. The exit code is 0 if all outputs are as
# expected, otherwise 1.
set -euo pipefail

fail() {
    echo "error: $1" >&2
    exit 1
}

# expect TEXT COMMAND...: runs a command, which must succeed and print the text on standard output.
expect() {
    local expected=$1 output
    shift
    output=$("$@") || fail "$1 failed with exit code $?"
    if [ "$output" != "$expected" ]; then
        diff <(echo "$expected") <(echo "$output") >&2 || true
        fail "$1 printed another text; lines with '<' are missing, lines with '>' were not expected"
    fi
}

[ $# -eq 1 ] || fail "usage: check.sh FOLDER"
programs=$1
folder=$(mktemp -d) || fail "no temporary folder could be created"
trap 'rm -rf "$folder"' EXIT
store=$folder/contacts.sqlite

people="Hypatia: no phone, no city, since 2025-01-01
Hopper, Grace Brewster: +1 202 555 0143, no city, since 2025-01-01
Lovelace, Ada: +44 20 7946 0018, no city, since 2025-01-01"

expect "Saved 3 people." "$programs/OldVersion" "$store"
expect "Migrated from 'Contacts' to 'Contacts 2'.
Migrated from 'Contacts 2' to 'Contacts 3', with a stage.
$people" "$programs/Migrating" "$store"

# The first release rejects the migrated store and leaves it unchanged.
status=0
"$programs/OldVersion" "$store" >"$folder/output" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "OldVersion must reject a newer store, but its exit code is $status"

expect "The store has the current version.
$people" "$programs/Migrating" "$store"
echo "The migration works as expected."
