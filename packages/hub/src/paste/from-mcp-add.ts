import { type Draft, unusable } from './draft.ts'
import { notRun, toEnv } from './from-command.ts'
import { fromObject, transportOf } from './from-object.ts'
import { toName } from './names.ts'
import { readJsonc } from './read-jsonc.ts'
import type { ShellCommand } from './split-shell.ts'

/** `claude mcp add`, and the same of other command lines that copied it. */
export function isMcpAdd({ words: [program = '', mcp, add = ''] }: ShellCommand): boolean {
  return /^(claude|codex|gemini)$/.test(program) && mcp === 'mcp' && /^add(-json)?$/.test(add)
}

interface Added {
  positional: string[]
  options: Record<string, string>
  env: string[]
  headers: string[]
  /** What follows `--`, or the command that the server's own arguments belong to. */
  command: string[]
  warnings: string[]
}

const optionNames: Record<string, string> = { '-t': '--transport', '-s': '--scope' }
const known =
  /^--(transport|scope|url|client-id|callback-port|bearer-token-env-var|description|timeout)$/

/** `claude mcp add [options] name [--] command args…`, or `… name url`, or `add-json name '…'`. */
export function fromMcpAdd({ words, problems }: ShellCommand): Draft {
  const isJson = words[2] === 'add-json'
  const added = readOptions(words.slice(3), isJson)
  const name = toName(added.positional[0] ?? '')
  if (problems.length > 0) return unusable(name, notRun(problems))
  if (added.positional.length === 0) return unusable(name, 'the command names no server')
  return isJson ? fromJsonText(name, added.positional[1] ?? '') : fromAdded(name, added)
}

function fromAdded(name: string, added: Added): Draft {
  const { positional, command, options, env, headers } = added
  const [program, ...args] = command.length > 0 ? command : positional.slice(1)
  const url = options['--url'] ?? (isRemote(options, program) ? program : undefined)
  if (url === undefined && program === undefined) {
    return unusable(name, 'the command names neither a program nor a URL')
  }
  const variable = options['--bearer-token-env-var']
  const entry =
    url === undefined
      ? { type: 'stdio', command: program, args, env: toEnv(env) }
      : {
          ...{ type: options['--transport'] ?? transportOf(url), url, headers: toHeaders(headers) },
          ...(variable !== undefined && { bearer_token_env_var: variable }),
        }
  return withWarnings(fromObject(entry, name), added.warnings)
}

function fromJsonText(name: string, json: string): Draft {
  const value = readJsonc(json)
  return value === undefined ? unusable(name, 'its JSON cannot be read') : fromObject(value, name)
}

function isRemote(options: Record<string, string>, program: string | undefined): boolean {
  const transport = options['--transport'] ?? ''
  return /^(http|sse|streamable[-_]?http)$/i.test(transport) || /^https?:\/\//.test(program ?? '')
}

function readOptions(words: readonly string[], isJson: boolean): Added {
  const added: Added = {
    ...{ positional: [], options: {}, env: [], headers: [], command: [], warnings: [] },
  }
  for (let at = 0; at < words.length; ) at = readWord(added, words, { at, isJson })
  return added
}

/** Reads what begins at `at`; gives where the next begins. */
function readWord(
  added: Added,
  words: readonly string[],
  { at, isJson }: { at: number; isJson: boolean },
): number {
  const word = words[at] ?? ''
  if (word === '--') {
    added.command = words.slice(at + 1)
    return words.length
  }
  if (!word.startsWith('-')) {
    added.positional.push(word)
    const isProgram = added.positional.length === 2 && !isJson && !isRemote(added.options, word)
    if (!isProgram) return at + 1
    added.command = words.slice(at)
    return words.length
  }
  return readOption(added, words, at)
}

function readOption(added: Added, words: readonly string[], at: number): number {
  const [, long = '', inline] = /^(--?[^=]*)(?:=(.*))?$/s.exec(words[at] ?? '') ?? []
  const option = optionNames[long] ?? long
  const next = inline === undefined ? at + 1 : at
  const value = inline ?? words[next] ?? ''
  if (/^(-e|--env)$/.test(option)) return readMany(added.env, words, { next, value, more: /^\w+=/ })
  if (/^(-H|--header)$/.test(option)) {
    return readMany(added.headers, words, { next, value, more: /^[\w-]+:\s/ })
  }
  if (known.test(option)) {
    added.options[option] = value
    return next + 1
  }
  added.warnings.push(`the option "${toName(option)}" is not taken over`)
  return at + 1
}

/** Such an option may be followed by several values: `--env A=1 B=2`. */
function readMany(
  values: string[],
  words: readonly string[],
  { next, value, more }: { next: number; value: string; more: RegExp },
): number {
  values.push(value)
  let at = next + 1
  for (; more.test(words[at] ?? ''); at += 1) values.push(words[at] ?? '')
  return at
}

function toHeaders(lines: readonly string[]): Record<string, string> {
  const pairs = lines.map((line) => /^([^:=]+)[:=]\s*(.*)$/s.exec(line))
  return Object.fromEntries(
    pairs.flatMap((match) => (match?.[1] ? [[match[1].trim(), match[2] ?? '']] : [])),
  )
}

function withWarnings(draft: Draft, warnings: readonly string[]): Draft {
  if (draft.status === 'unusable') return draft
  return { ...draft, warnings: [...warnings, ...draft.warnings] }
}
