import type { Flag } from '../../args/index.ts'
import type { Lang } from '../../words/index.ts'
import { type Place, places, takingValue } from './places.ts'

/** A script for fish 3 and later. */
export function toFish(lang: Lang): string {
  return `# fish completion of dataagent
function __dataagent_path
  set -l path
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $word ${takingValue().join(' ')}
      set skip 1
    else if not string match -q -- '-*' $word
      set -a path $word
    end
  end
  string join ' ' -- $path
end
function __dataagent_is
  set -l path (__dataagent_path)
  test "$path" = "$argv"
end
function __dataagent_at
  set -l path (__dataagent_path)
  test "$path" = "$argv"; or string match -q -- "$argv *" "$path"
end
complete -c dataagent -f
${places()
  .flatMap((place) => linesOf(place, lang))
  .join('\n')}
`
}

function linesOf({ path, next, flags }: Place, lang: Lang): string[] {
  const here = ['__dataagent_is', ...path].join(' ')
  const within = path.length === 0 ? here : `__dataagent_at ${path.join(' ')}`
  return [
    ...next.map(({ name, about }) => {
      const told = about ? ` -d ${quote(about[lang])}` : ''
      return `complete -c dataagent -n ${quote(here)} -a ${quote(name)}${told}`
    }),
    ...flags.flatMap((flag) => flagLines(flag, within, lang)),
  ]
}

function flagLines(flag: Flag, condition: string, lang: Lang): string[] {
  const names = [flag.name, ...(flag.alias ? [flag.alias] : [])]
  return names.map((name, at) => {
    const short = at === 0 && flag.short ? ` -s ${flag.short}` : ''
    return `complete -c dataagent -n ${quote(condition)} -l ${name}${short}${takes(flag)} -d ${quote(flag.about[lang])}`
  })
}

function takes({ value }: Flag): string {
  if (value === undefined || value.isOptional) return ''
  if (value.completes === 'files') return ' -r -F'
  if (value.completes === 'folders') return " -x -a '(__fish_complete_directories)'"
  return value.completes === 'nothing' ? ' -x' : ` -x -a ${quote(value.completes.join(' '))}`
}

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
