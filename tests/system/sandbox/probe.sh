#!/bin/sh
# An adapter that tries things, and tells in its greeting which of them it could do.
# Usage: probe.sh ATTEMPTS, a file with a line `who: name: command` each.
TOOL=$PPID
export TOOL
details=
while IFS= read -r line; do
  case $line in '#'* | '') continue ;; esac
  rest=${line#*: }
  name=${rest%%: *} command=${rest#*: }
  if (eval "$command") >/dev/null 2>&1 </dev/null; then could=yes; else could=no; fi
  details="$details${details:+,}\"$name\":\"$could\""
done <"$1"

while read -r line; do
  case $line in
  '{"hello":{"protocol":1}}')
    printf '{"backend":{"name":"probe","version":"1","details":{%s}}}\n' "$details"
    continue
    ;;
  esac
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  printf '{"id":%s,"refused":{"stage":"load","kind":"unsupported","message":"none"}}\n' "$id"
done
