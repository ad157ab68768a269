import { parseArgs } from 'node:util'
import { commands, globalFlags } from './commands.ts'
import type { CommandSpec, Flag, Invocation } from './contract.ts'
import { nearest } from './nearest.ts'
import { checkFlags, type Said, toGlobalOptions } from './said-flags.ts'
import { problemWords } from './words.ts'

/** Reads the command line. Never throws; nothing of it is done yet. */
export function parseInvocation(argv: readonly string[]): Invocation {
  const before = readUntilWord(argv)
  const name = argv[before.end]
  if (name === undefined) return judge(before.said, { kind: 'main' })
  const command = commands.find((one) => one.name === name)
  if (command === undefined) {
    const known = commands.map((one) => one.name)
    const problem =
      checkFlags(before.said, globalFlags) ??
      problemWords.unknownCommand(name, nearest(name, known))
    return { kind: 'wrong', problem, options: toGlobalOptions(before.said) }
  }
  return readCommand(command, before.said, argv.slice(before.end + 1))
}

type Place = { kind: 'main' } | { kind: 'command'; command: CommandSpec; words: string[] }

function readCommand(command: CommandSpec, before: Said[], argv: readonly string[]): Invocation {
  if (command.reads === 'all') {
    const wrong = checkFlags(before, globalFlags)
    const options = toGlobalOptions(before)
    if (wrong) return { kind: 'wrong', problem: wrong, options }
    return { ...named(command), words: [], flags: new Map(), rest: argv, options }
  }
  const flags = command.reads === 'own' ? globalFlags : [...globalFlags, ...ownFlags(command)]
  const { said, words, rest } = readWords(argv, flags, command.reads === 'own')
  const all = [...before, ...said]
  if (command.reads === 'own' && !asks(all, 'help')) {
    const wrong = checkFlags(all, flags)
    const options = toGlobalOptions(all)
    if (wrong) return { kind: 'wrong', problem: wrong, options }
    return { ...named(command), words: [], flags: new Map(), rest, options }
  }
  return judge(all, { kind: 'command', command, words })
}

const named = ({ name }: CommandSpec) => ({ kind: 'command', command: name }) as const

function judge(said: Said[], place: Place): Invocation {
  const options = toGlobalOptions(said)
  const words = place.kind === 'main' ? [] : place.words
  const command = place.kind === 'main' ? undefined : place.command
  if (command?.name === 'help') return { kind: 'help', topic: words, options }
  const action = command?.actions?.find(({ name }) => name === (words[0] ?? 'list'))
  if (asks(said, 'help')) {
    const topic = command ? [command.name, ...(action && words[0] ? [action.name] : [])] : []
    return { kind: 'help', topic, options }
  }
  if (asks(said, 'version')) return { kind: 'version' }
  const known = [...globalFlags, ...(command?.flags ?? []), ...(action?.flags ?? [])]
  const problem = unknownAction(command, words) ?? checkFlags(said, known)
  if (problem) return { kind: 'wrong', problem, options }
  if (command === undefined) return { kind: 'interactive', options }
  const flags = new Map<string, string[]>()
  for (const { flag, value } of said) {
    if (flag === undefined || globalFlags.includes(flag)) continue
    flags.set(flag.name, [...(flags.get(flag.name) ?? []), value ?? ''])
  }
  return { ...named(command), words, flags, rest: [], options }
}

function unknownAction(command: CommandSpec | undefined, [word]: string[]) {
  if (!command?.actions || word === undefined) return undefined
  const known = command.actions.map(({ name }) => name)
  if (known.includes(word)) return undefined
  return problemWords.unknownAction(command.name, word, nearest(word, known))
}

const asks = (said: Said[], name: string) => said.some(({ flag }) => flag?.name === name)

const ownFlags = ({ flags, actions = [] }: CommandSpec): Flag[] => {
  const all = [...flags, ...actions.flatMap((action) => action.flags)]
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}

/** Flags up to the first word that is none and no value of one. */
function readUntilWord(argv: readonly string[]) {
  const tokens = tokensOf(argv, globalFlags)
  const word = tokens.find(({ kind }) => kind === 'positional')
  const end = word?.index ?? argv.length
  const said = tokens.filter(({ index }) => index < end).flatMap((token) => toSaid(token))
  return { said, end }
}

/** `isOpen`: flags that are not ours stay where they are, in `rest`. */
function readWords(argv: readonly string[], flags: readonly Flag[], isOpen: boolean) {
  const tokens = tokensOf(argv, flags)
  const said = tokens.flatMap(toSaid).filter(({ flag }) => !isOpen || flag !== undefined)
  const taken = new Set(said.flatMap(({ places }) => places))
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return { said, words, rest: argv.filter((_, at) => !taken.has(at)) }
}

type Token =
  | {
      kind: 'option'
      index: number
      rawName: string
      value?: string
      isApart: boolean
      flag?: Flag
    }
  | { kind: 'positional'; index: number; value: string }

function toSaid(token: Token): Said[] {
  if (token.kind !== 'option') return []
  const { flag, rawName, value, isApart, index } = token
  const places = isApart ? [index, index + 1] : [index]
  return [{ flag, rawName, value, isApart, places }]
}

/** What Node's own parser makes of it; a flag whose value may be left out takes no other flag. */
function tokensOf(argv: readonly string[], flags: readonly Flag[]): Token[] {
  const names = flags.flatMap((flag) => [
    flag,
    ...(flag.alias ? [{ ...flag, name: flag.alias }] : []),
  ])
  const byName = new Map(
    flags.flatMap((flag) => [
      [flag.name, flag],
      [flag.alias ?? flag.name, flag],
    ]),
  )
  const options = Object.fromEntries(
    names.map(({ name, short, value, alias }) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        ...(short && alias !== name && { short }),
      },
    ]),
  )
  const { tokens } = parseArgs({
    ...{ args: argv.map((word, at) => spellOut(word, argv[at + 1], byName)), options },
    ...{ strict: false, allowPositionals: true, tokens: true },
  })
  return tokens.flatMap((token): Token[] => {
    if (token.kind === 'positional') return [token]
    if (token.kind !== 'option') return []
    const { name, rawName, index, value, inlineValue } = token
    const flag = byName.get(name)
    const isApart = value !== undefined && inlineValue === false
    return [
      {
        ...{ kind: 'option', index, rawName, isApart },
        ...(value !== undefined && { value }),
        ...(flag && { flag }),
      },
    ]
  })
}

/** `--resume` alone, or before another flag, is `--resume=`: Node's parser would take that flag. */
function spellOut(word: string, next: string | undefined, byName: Map<string, Flag>): string {
  const flag = word.startsWith('--') ? byName.get(word.slice(2)) : undefined
  return flag?.value?.isOptional && (next === undefined || next.startsWith('-')) ? `${word}=` : word
}
