#!/bin/sh
# lofting_check.sh LOFTING FILES ARGUMENT...
#
# Runs LOFTING with the arguments in a folder that has the files whose paths are the lines of FILES, and no others. Bazel gives
# links to files, which a check does not follow, so they are copied. LOFTING_REPORT is the FORMAT=FILE of a further report.
set -eu

here=$PWD
lofting=$1
list=$2
shift 2
case $lofting in
/*) ;;
*) lofting=$here/$lofting ;;
esac

folder=$(mktemp -d "${TEST_TMPDIR:-${TMPDIR:-/tmp}}/lofting.XXXXXX")
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/files" "$folder/home"
tar -chf - -T "$list" | tar -xf - -C "$folder/files"

command=$1
shift
# What comes after the command comes before what the user wrote.
if [ -n "${TEST_TOTAL_SHARDS:-}" ]; then
    if [ -n "${TEST_SHARD_STATUS_FILE:-}" ]; then
        : >"$TEST_SHARD_STATUS_FILE"
    fi
    set -- --shard "$((TEST_SHARD_INDEX + 1))/$TEST_TOTAL_SHARDS" "$@"
fi
report=${LOFTING_REPORT:-${XML_OUTPUT_FILE:+junit=$XML_OUTPUT_FILE}}
case $report in
"") ;;
*=/*) set -- --output "$report" "$@" ;;
*) set -- --output "${report%%=*}=$here/${report#*=}" "$@" ;;
esac

# Nothing of the machine has a say.
cd "$folder/files"
env -i PATH="$PATH" HOME="$folder/home" TMPDIR="$folder" "$lofting" "$command" "$@"
