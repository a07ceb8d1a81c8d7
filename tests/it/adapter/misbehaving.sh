#!/bin/sh
# An adapter that does to each model what the name of its operator says.
# Usage: misbehaving.sh FOLDER, which holds other.pb, a value of another type.
folder=$1
export folder # marks the processes that are started here
sleep="sleep 98765"
ok() { printf '{"id":%s,"ok":{}}\n' "$id"; }
refuse() {
  printf '{"id":%s,"refused":{"stage":"run","kind":"%s","message":"%s"}}\n' "$id" "$1" "$2"
}
path() { printf '%s' "$line" | sed "s/.*\"$1\":\[*\"\([^\"]*\)\".*/\1/"; }

while read -r line; do
  case $line in
  '{"hello":{"protocol":1}}')
    echo '{"backend":{"name":"misbehaving","version":"1","details":{"shell":"sh"}}}'
    continue
    ;;
  esac
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  model=$(path model) input=$(path inputs) output=$(path outputs)
  echo "$model" >>"$folder/models"
  does() { grep -aq "$1" "$model"; }
  if does Identity; then cp "$input" "$output" && ok
  elif does SayAndExit; then echo "last words" >&2; exit 3
  elif does Segfault; then kill -SEGV $$
  elif does LeaveQuietly; then exit 0
  elif does Garbage; then echo "hello, world"
  elif does HalfALine; then printf '{"id":'; exit 0
  elif does HalfAndCrash; then printf '{"id":'; exit 1
  elif does Flood; then tr '\0' x </dev/zero
  elif does OtherId; then id=999; cp "$input" "$output"; ok
  elif does NoOutput; then ok
  elif does Truncated; then head -c 5 "$input" >"$output"; ok
  elif does Huge; then truncate -s 10G "$output"; ok
  elif does Link; then ln -s "$input" "$output"; ok
  elif does Pipe; then mkfifo "$output"; ok
  elif does OtherType; then cp "$folder/other.pb" "$output"; ok
  elif does Hang; then $sleep
  elif does Fork; then $sleep & $sleep
  elif does Stubborn; then trap '' TERM INT HUP; while :; do $sleep; done
  elif does OneTooMany; then cp "$input" "$output"; ok; echo surplus
  elif does NameFolder; then refuse error "no such thing in $input"
  elif does LongWinded; then refuse error "$(printf '%0100000d' 0)"
  elif does Invalid; then refuse invalid "not a model"
  else refuse unsupported "no such operator"
  fi
done
