import type { Flag } from '../../args/index.ts'
import { allFlags, places, spellings, steps, takingValue } from './places.ts'

/** A script for bash 3.2 and later, without the package bash-completion. */
export function toBash(): string {
  return `# bash completion of dataagent
_dataagent() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path='' word at
  COMPREPLY=()
  # What readline splits at "=" belongs to the flag before it.
  [[ $current == = ]] && current=''
  [[ $previous == = && $COMP_CWORD -ge 2 ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  case $previous in
${valueCases()}
  esac
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      ${takingValue().join('|')}) ((at++)); [[ \${COMP_WORDS[at]} == = ]] && ((at++)) ;;
      -*|=) ;;
      *) case "$path $word" in
        ${steps().join('|')}) path="$path $word" ;;
      esac ;;
    esac
  done
  case $path in
${placeCases()}
  esac
}
complete -o default -F _dataagent dataagent
`
}

function valueCases(): string {
  return allFlags()
    .flatMap((flag) => {
      const reply = replyFor(flag)
      return reply === undefined ? [] : [`    ${spellings(flag).join('|')}) ${reply}; return ;;`]
    })
    .join('\n')
}

/** Undefined where what follows the flag may as well be something else. */
function replyFor({ value }: Flag): string | undefined {
  if (value === undefined || value.isOptional) return undefined
  if (value.completes === 'files') return 'COMPREPLY=($(compgen -f -- "$current"))'
  if (value.completes === 'folders') return 'COMPREPLY=($(compgen -d -- "$current"))'
  if (value.completes === 'nothing') return 'compopt +o default 2>/dev/null'
  return `COMPREPLY=($(compgen -W '${value.completes.join(' ')}' -- "$current"))`
}

function placeCases(): string {
  return places()
    .map(({ path, next, flags }) => {
      const at = path.map((word) => ` ${word}`).join('')
      const names = next.map(({ name }) => name).join(' ')
      const known = flags.flatMap(spellings).join(' ')
      return `    '${at}')
      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '${known}' -- "$current"))
      else COMPREPLY=($(compgen -W '${names}' -- "$current")); fi ;;`
    })
    .join('\n')
}
