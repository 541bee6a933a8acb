#!/usr/bin/env bash
# Runs the built program twice and compares its output: check.sh FOLDER, the folder of the program 'Done'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
{
    printf 'add Buy milk\nadd Call home\nurgent 2\ndone 2\nnonsense\nquit\n' | "$1/Done" "$folder/todo.sqlite"
    printf 'delete 1\n' | "$1/Done" "$folder/todo.sqlite"
} >"$folder/output"
diff - "$folder/output" <<'EXPECTED'
Nothing to do.
To do
  1. Buy milk
--
To do
  1. Buy milk
  2. Call home
--
To do
  1. Call home (urgent)
  2. Buy milk
--
To do
  1. Call home (urgent)
Done
  2. Buy milk
--
commands: add TITLE, done NUMBER, urgent NUMBER, delete NUMBER, quit
To do
  1. Call home (urgent)
Done
  2. Buy milk
--
Done
  1. Buy milk
--
EXPECTED
