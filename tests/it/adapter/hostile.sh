#!/bin/sh
# An adapter that does its harness all the harm that the name of a model's operator says.
# Usage: hostile.sh FOLDER, which holds elsewhere/file: nothing may be changed there.
folder=$1
export folder # marks the processes that are started here
ok() { printf '{"id":%s,"ok":{}}\n' "$id"; }
compute() { cp "$input" "$output" 2>/dev/null; }
refuse() { printf '{"id":%s,"refused":{"stage":"run","kind":"error","message":"%s"}}\n' "$id" "$1"; }
# Something else in the place of a file.
instead() { rm -rf "$1" && "$2" "$1"; }
link() { ln -s "$folder/elsewhere/file" "$1"; }
wait_for_ever() { exec sleep 98765; }

while read -r line; do
  case $line in
  '{"hello":{"protocol":1}}')
    echo '{"backend":{"name":"hostile","version":"1","details":{"shell":"sh"}}}'
    continue
    ;;
  esac
  id=${line#*\"id\":} id=${id%%,*}
  model=${line#*\"model\":\"} model=${model%%\"*}
  input=${line#*\"inputs\":[\"} input=${input%%\"*}
  output=${line#*\"outputs\":[\"} output=${output%%\"*}
  request=${output%/*} private=${output%/*/*}
  echo "$model" >>"$folder/models"
  # The field after it begins with a Z.
  operator=$(grep -ao 'Do[A-Z][A-Za-z0-9]*' "$model" | head -n 1) operator=${operator%Z}
  case $operator in
  '') if compute; then ok; else refuse "there is no input"; fi ;;

  # Files of the request.
  DoRemoveModel) compute; rm "$model"; ok ;;
  DoTruncateModel) compute; : >"$model"; ok ;;
  DoReplaceModelByLink) compute; instead "$model" link; ok ;;
  DoRemoveInput) compute; rm "$input"; ok ;;
  DoTruncateInput) compute; : >"$input"; ok ;;
  DoReplaceInputByFolder) compute; instead "$input" mkdir; ok ;;
  DoReplaceInputByPipe) compute; instead "$input" mkfifo; ok ;;
  DoReplaceInputByLink) compute; instead "$input" link; ok ;;
  DoWriteNothing) ok ;;
  DoWriteHalf) head -c 5 "$input" >"$output"; ok ;;
  DoWriteFolder) mkdir "$output"; ok ;;
  DoWritePipe) mkfifo "$output"; ok ;;
  DoWriteLink) link "$output"; ok ;;
  DoWriteLinkToZeros) ln -s /dev/zero "$output"; ok ;;
  DoWriteHardLinkToModel) ln "$model" "$output"; ok ;;
  DoWriteSparse) truncate -s 10G "$output"; ok ;;
  DoGrowWhileRead) (while head -c 9999999 /dev/zero >>"$output"; do :; done) & compute; ok ;;
  DoSwapAfterwards) compute; ok; instead "$output" mkfifo ;;

  # Folders.
  DoPlantPipes)
    compute
    for name in model.onnx input_0.pb output_0.pb; do mkfifo "$private/$name" "$request/next_$name"; done
    ok
    ;;
  DoPlantLinks) compute; for name in model.onnx input_0.pb output_0.pb; do link "$private/$name"; done; ok ;;
  DoRemoveFolder) rm -rf "$request"; ok ;;
  DoRemoveModelFolder) compute; rm -rf "${model%/*}"; ok ;;
  DoRemovePrivateFolder) rm -rf "$private"; ok ;;
  DoRemovePrivateFolderLater) compute; ok; (sleep 0.02; rm -rf "$private") & ;;
  DoMoveFolder) mv "$request" "$private/moved"; ok ;;
  DoMovePrivateFolder) mv "$private" "$private-moved"; echo "$private-moved/x/y" >>"$folder/models"; ok ;;
  DoReplaceFolderByLink) rm -rf "$request"; ln -s "$folder/elsewhere" "$request"; ok ;;
  DoReplacePrivateFolderByLink) rm -rf "$private"; ln -s "$folder/elsewhere" "$private"; ok ;;
  DoLockFolder) chmod 0 "$request"; ok ;;
  DoLockPrivateFolder) compute; chmod 0 "$private"; ok ;;
  DoFill) compute; (cd "$request" && seq 10000 | xargs touch); ok ;;
  DoNest)
    compute
    (cd "$request" && for _ in 1 2 3; do
      mkdir -p "$(printf 'x/%.0s' $(seq 400))" && cd "$(printf 'x/%.0s' $(seq 400))" || exit
    done)
    ok
    ;;
  DoNestLocked) compute; mkdir -p "$request/a/b/c"; chmod 0 "$request/a/b/c" "$request/a/b" "$request/a"; ok ;;

  # Streams.
  DoCloseStdin) compute; exec </dev/null; ok; wait_for_ever ;;
  DoCloseStdout) exec >&-; wait_for_ever ;;
  DoCloseStdoutAfterwards) compute; ok; exec >&- ;;
  DoCloseStderr) compute; exec 2>&-; ok ;;
  DoFloodStdout) tr '\0' x </dev/zero ;;
  DoFloodStderr) head -c 50000000 /dev/zero >&2; compute; ok ;;
  DoHalfALine) printf '{"id":'; exit 0 ;;
  DoEmptyLine) echo ;;
  DoZeros) head -c 100 /dev/zero; echo ;;
  DoBadUtf8) printf '{"id":%s,"ok":{}}\377\n' "$id" ;;
  DoNestBrackets) printf '[%.0s' $(seq 1 5000); echo ;;
  DoAnswerTwice) compute; ok; ok ;;
  DoAnswerAndSay) compute; ok; echo surplus ;;
  DoAnswerAhead) compute; ok; for _ in 1 2 3; do id=$((id + 1)); ok; done ;;
  DoOtherId) compute; id=999999999; ok ;;
  DoNegativeId) compute; id=-1; ok ;;
  DoHugeId) compute; id=18446744073709551616; ok ;;
  DoFractionalId) compute; id=$id.5; ok ;;
  DoTextId) compute; id="\"$id\""; ok ;;
  DoTwoIds) compute; printf '{"id":%s,"id":%s,"ok":{}}\n' "$id" "$id" ;;
  DoTwoOks) compute; printf '{"id":%s,"ok":{},"ok":{}}\n' "$id" ;;
  DoTrail) compute; printf '{"id":%s,"ok":{}} and more\n' "$id" ;;
  DoAddMember) compute; printf '{"id":%s,"ok":{},"score":1}\n' "$id" ;;
  DoAnswerHello) echo '{"backend":{"name":"hostile","version":"1"}}' ;;
  DoTalk) refuse "$(printf '%0100000d' 0)" ;;

  # Processes.
  DoExit) exit 0 ;;
  DoExitAfterwards) compute; ok; exit 0 ;;
  DoFailAfterwards) compute; ok; exit 3 ;;
  DoFailLater) compute; ok; sleep 0.02; exit 3 ;;
  DoLeaveDaemonAndFail) setsid sleep 98765 & sleep 0.1; exit 3 ;;
  DoLeaveDaemonAndExit) setsid sleep 98765 & sleep 0.1; exit 0 ;;
  DoLeaveDaemon) compute; (setsid sleep 98765 &); ok ;;
  DoAnswerWithDaemonAndExit) compute; setsid sleep 98765 & sleep 0.1; ok; exit 0 ;;
  DoFork) compute; for _ in $(seq 100); do sleep 98765 & done; ok ;;
  DoKillGroup) kill -KILL 0 ;;
  DoSignal*) kill -"${operator#DoSignal}" $$; wait_for_ever ;;
  DoRenice) compute; renice 19 $$ >/dev/null 2>&1; ok ;;

  # Silence.
  DoHang) wait_for_ever ;;
  DoHangWithHalfALine) printf '{"id":'; wait_for_ever ;;
  DoHangWithDaemon) setsid sleep 98765 & wait_for_ever ;;
  DoHangWithChildren) for _ in $(seq 20); do sleep 98765 & done; wait_for_ever ;;
  DoHangDeafToSignals) trap '' TERM INT HUP QUIT; while :; do sleep 98765; done ;;
  DoReadForEver) cat >/dev/null ;;
  DoStop) kill -STOP $$ ;;
  DoJoinOtherGroup)
    command -v perl >/dev/null && exec perl -e 'setpgrp(0, getpgrp(getppid())); sleep 98765'
    wait_for_ever
    ;;
  *) refuse "nothing of this name" ;;
  esac
done
