#!/bin/sh
# An adapter that returns its input, and appends a byte to a file meanwhile.
# Usage: altering.sh FILE
path() { printf '%s' "$line" | sed "s/.*\"$1\":\[*\"\([^\"]*\)\".*/\1/"; }

while read -r line; do
  case $line in
  '{"hello":{"protocol":1}}')
    echo '{"backend":{"name":"altering","version":"1"}}'
    continue
    ;;
  esac
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  printf x >>"$1"
  cp "$(path inputs)" "$(path outputs)"
  printf '{"id":%s,"ok":{}}\n' "$id"
done
