import { AppError } from '@dataagent/schema'
import { RE2JS } from 're2js'

/**
 * A command that an administrator has approved for users to start with their own values. The whole
 * command line is compared, argument by argument.
 */
export interface CommandTemplate {
  name: string
  /** Exactly this: a path is not resolved, a name not looked up. */
  command: string
  /** `{place}` stands for a value of the user, alone or within an argument. */
  args: readonly string[]
  /** The pattern (RE2) that each value must match as a whole. */
  params?: Readonly<Record<string, string>>
  /** Environment variables that the user may set. */
  env?: readonly string[]
  /** Where it runs; a user cannot choose. */
  cwd?: string
  /** Whether it may use the network of the host. Default false. */
  network?: boolean
}

/** A command as a configuration has it. */
export interface Command {
  command: string
  args: readonly string[]
  cwd?: string | undefined
  /** Names alone. */
  env: readonly string[]
}

/** Says whether a command is one of the template's. Throws `config_invalid` for a bad template. */
export function createTemplateMatcher(template: CommandTemplate): (command: Command) => boolean {
  const args = template.args.map((arg) => compileArg(template, arg))
  const env = new Set(template.env)
  return (asked) => {
    if (asked.command !== template.command || asked.cwd !== template.cwd) return false
    if (asked.args.length !== args.length || !asked.env.every((name) => env.has(name))) return false
    return matchArgs(args, asked.args)
  }
}

interface ArgPattern {
  pattern: RE2JS
  places: string[]
}

/** Also that a place which stands twice has one value. */
function matchArgs(patterns: readonly ArgPattern[], args: readonly string[]): boolean {
  const values = new Map<string, string>()
  return patterns.every(({ pattern, places }, at) => {
    const matcher = pattern.matcher(args[at] ?? '')
    if (!matcher.matches()) return false
    return places.every((place, number) => {
      const value = matcher.group(toGroup(number)) ?? ''
      const known = values.get(place) ?? value
      values.set(place, value)
      return known === value && isSafeValue(value, args[at] === value)
    })
  })
}

/** Whatever the pattern says: no option, no step out of a folder, no control character. */
function isSafeValue(value: string, isWholeArg: boolean): boolean {
  if (isWholeArg && value.startsWith('-')) return false
  if (value.split(/[\\/]/).includes('..')) return false
  return value !== '' && !/\p{Cc}/u.test(value)
}

function compileArg({ name, params = {} }: CommandTemplate, arg: string): ArgPattern {
  const places: string[] = []
  const parts = arg.split(/\{([A-Za-z]\w*)\}/)
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return RE2JS.quote(part)
    if (!Object.hasOwn(params, part)) throw invalid(name, `has no pattern for {${part}}`)
    places.push(part)
    return `(?P<${toGroup(places.length - 1)}>(?:${params[part]}))`
  })
  try {
    return { pattern: RE2JS.compile(source.join('')), places }
  } catch {
    throw invalid(name, `has a pattern that cannot be read, in the argument "${arg}"`)
  }
}

function toGroup(number: number): string {
  return `place${number}`
}

function invalid(name: string, what: string): AppError {
  return new AppError('config_invalid', `the command template "${name}" ${what}`)
}
