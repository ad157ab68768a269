import type { Flag } from '../../args/index.ts'
import type { Lang } from '../../words/index.ts'
import { allFlags, type Place, places, spellings, steps, takingValue } from './places.ts'

/** A script for zsh 5 and later, with its completion system on. */
export function toZsh(lang: Lang): string {
  return `#compdef dataagent
# zsh completion of dataagent
_dataagent() {
  local place='' word at
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    case $word in
      (${takingValue().join('|')}) ((at++)) ;;
      (-*) ;;
      (*) case "$place $word" in
        (${steps().join('|')}) place="$place $word" ;;
      esac ;;
    esac
  done
  case \${words[CURRENT-1]} in
${valueCases()}
  esac
  local -a known
  case $place in
${places()
  .map((place) => placeCase(place, lang))
  .join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _dataagent "$@"
else compdef _dataagent dataagent; fi
`
}

function valueCases(): string {
  return allFlags()
    .flatMap((flag) => {
      const action = actionFor(flag)
      return action === undefined ? [] : [`    (${spellings(flag).join('|')}) ${action}; return ;;`]
    })
    .join('\n')
}

function actionFor({ value }: Flag): string | undefined {
  if (value === undefined || value.isOptional) return undefined
  if (value.completes === 'files') return '_files'
  if (value.completes === 'folders') return '_files -/'
  if (value.completes === 'nothing') return `_message ${quote(value.name)}`
  return `compadd -- ${value.completes.join(' ')}`
}

function placeCase({ path, next, flags }: Place, lang: Lang): string {
  const at = path.map((word) => ` ${word}`).join('')
  const described = next.map(({ name, about }) => entry(name, about?.[lang] ?? ''))
  const known = flags.flatMap((flag) =>
    spellings(flag).map((name) => entry(name, flag.about[lang])),
  )
  const words =
    described.length === 0 ? '_files' : `known=(${described.join(' ')}); _describe word known`
  return `    ('${at}')
      if [[ $PREFIX == -* ]]; then known=(${known.join(' ')}); _describe flag known
      else ${words}; fi ;;`
}

/** `name:about`, as _describe reads it. */
function entry(name: string, about: string): string {
  return quote(about === '' ? name : `${name}:${about.replaceAll(':', '\\:')}`)
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
