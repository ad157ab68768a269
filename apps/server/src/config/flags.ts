import type { FieldName } from './config.ts'
import { actions, type Command, commands, type Field, fields, type Operands } from './names.ts'
import { type Problem, unknownName } from './problem.ts'

export interface Flags {
  values: Map<FieldName, string | boolean>
  config: string | undefined
  help: boolean
  version: boolean
  command: Command | undefined
  operands: Operands
  problems: Problem[]
}

const shortForms: Record<string, string> = { '-h': '--help', '-v': '--version', '-p': '--port' }
const fieldByFlag = new Map(fields.map((field) => [field.flag, field]))
const known = [...fieldByFlag.keys(), ...Object.values(actions).map(({ flag }) => flag)]

/** Reads `--port 9000`, `--port=9000`, `--auth-disabled` and `--no-auth-disabled`. Never throws. */
export function parseFlags(argv: readonly string[]): Flags {
  const flags: Flags = {
    values: new Map(),
    config: undefined,
    help: false,
    version: false,
    command: undefined,
    operands: { folder: '', with_key: false },
    problems: [],
  }
  const rest = [...argv]
  while (rest.length > 0) takeFlag(rest.shift()!, rest, flags)
  if (flags.operands.with_key && flags.command !== 'backup') flags.problems.push(keyOfNothing)
  return flags
}

function takeFlag(word: string, rest: string[], flags: Flags): void {
  const [given = '', inline] = splitOnce(word)
  const flag = shortForms[given] ?? given
  const command = commands.find((name) => actions[name].flag === flag)
  if (flag === actions.help.flag) flags.help = true
  else if (flag === actions.version.flag) flags.version = true
  else if (flag === actions.with_key.flag) flags.operands.with_key = true
  else if (command) takeCommand(command, inline, rest, flags)
  else if (flag === actions.config.flag) flags.config = takeValue(flag, inline, rest, flags)
  else takeField(flag, inline, rest, flags)
}

function takeCommand(command: Command, inline: string | undefined, rest: string[], flags: Flags) {
  flags.command = command
  if (command !== 'backup' && command !== 'restore') return
  flags.operands.folder = takeValue(actions[command].flag, inline, rest, flags) ?? ''
}

function takeField(flag: string, inline: string | undefined, rest: string[], flags: Flags): void {
  const field = fieldByFlag.get(flag)
  const opposite = fieldByFlag.get(flag.replace(/^--no-/, '--'))
  if (field?.kind === 'switch') flags.values.set(field.name, inline ?? true)
  else if (field) setValue(field, takeValue(flag, inline, rest, flags), flags)
  else if (opposite?.kind === 'switch' && inline === undefined)
    flags.values.set(opposite.name, false)
  else reportUnknown(flag, inline, rest, flags)
}

function reportUnknown(
  flag: string,
  inline: string | undefined,
  rest: string[],
  flags: Flags,
): void {
  flags.problems.push(unknownName({ en: 'flag', zh: '参数' }, flag, known))
  const hasValue = flag.startsWith('--') && inline === undefined && !rest[0]?.startsWith('-')
  if (hasValue) rest.shift()
}

function setValue(field: Field, value: string | undefined, flags: Flags): void {
  if (value !== undefined) flags.values.set(field.name, value)
}

function takeValue(flag: string, inline: string | undefined, rest: string[], flags: Flags) {
  if (inline !== undefined) return inline
  const next = rest[0]
  if (next !== undefined && !next.startsWith('--')) return rest.shift()
  flags.problems.push({
    name: flag,
    message: { en: `needs a value: ${flag} VALUE`, zh: `缺少值：${flag} 值` },
  })
  return undefined
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  if (at < 0 || !word.startsWith('--')) return [word, undefined]
  return [word.slice(0, at), word.slice(at + 1)]
}

const keyOfNothing: Problem = {
  name: actions.with_key.flag,
  message: { en: 'is for --backup alone', zh: '只能与 --backup 同用' },
}
