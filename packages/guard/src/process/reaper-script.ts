import { tagName } from './tag.ts'

/**
 * Reads `tag T`, `add PID` and `remove PID`, one a line. When its input ends, the host has gone: it
 * stops, then kills the groups it holds, their sessions, whatever carries the tag and all that
 * these started, until none is seen five times running, a second and a half in all: a process
 * forked as the host died gets its tag a moment later, which on a busy machine is not soon. Stopped
 * first, because one that has left its session without the tag is known by its parent alone. POSIX
 * shell with grep and sleep; no /proc, no search.
 */
export const reaperScript = `
trap '' HUP INT TERM
groups=' '
tag=
while read -r verb id; do
  case $verb in
    tag) tag=$id ;;
    add) groups="$groups$id " ;;
    remove) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done

find_family() {
  family=' '
  if [ -n "$tag" ]; then
    for file in $(grep -lsF "${tagName}=$tag" /proc/[0-9]*/environ); do
      file=\${file#/proc/}
      family="$family\${file%/environ} "
    done
  fi
  grown=yes
  while [ $grown = yes ]; do
    grown=no
    for file in /proc/[0-9]*/stat; do
      read -r line < "$file" || continue
      pid=\${file#/proc/}
      pid=\${pid%/stat}
      set -- \${line##*) }
      [ $# -gt 20 ] || continue
      case $family in *" $pid "*) continue ;; esac
      case "$1 $groups" in Z*) ;; *" $4 "*) family="$family$pid " grown=yes ;; esac
      case "$1 $family" in Z*) ;; *" $2 "*) family="$family$pid " grown=yes ;; esac
    done
  done
}

stop_family() {
  for group in $groups; do kill -STOP "-$group"; done
  stopped=' '
  look=0
  new=yes
  while [ $new = yes ] && [ $look -lt 20 ]; do
    new=no
    find_family
    for pid in $family; do
      case $stopped in *" $pid "*) ;; *) kill -STOP "$pid"; stopped="$stopped$pid " new=yes ;; esac
    done
    look=$((look + 1))
  done
}

quiet=0
round=0
while [ $quiet -lt 5 ] && [ $round -lt 100 ]; do
  stop_family
  for group in $groups; do kill -KILL "-$group"; done
  for pid in $stopped; do kill -KILL "$pid"; done
  groups=' '
  if [ "$stopped" = ' ' ]; then quiet=$((quiet + 1)); else quiet=0; fi
  round=$((round + 1))
  case $quiet in 2) pause=0.2 ;; 3) pause=0.4 ;; 4) pause=0.8 ;; *) pause=0.1 ;; esac
  sleep $pause || sleep 1
done
`
