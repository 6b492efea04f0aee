#!/bin/sh
# Runs nvcc and keeps in a file what ptxas reports of the kernels; shows the rest of what it says.
#
#   keep_report.sh REPORT COMMAND...
report="$1"
shift
"$@" 2>"$report"
status=$?
if [ "$status" -ne 0 ]; then
  cat "$report" >&2
  rm -f "$report"
  exit "$status"
fi
grep -vE '^ptxas info|bytes stack frame' "$report" >&2
exit 0
