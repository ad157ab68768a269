import { type CommandSpec, commands, type Flag, globalFlags } from '../../args/index.ts'

/** Where the cursor may be: after the program, after a command, after an action of it. */
export interface Place {
  /** The words before, without `dataagent`. */
  path: readonly string[]
  flags: readonly Flag[]
  /** What may stand here: names of commands or actions, or other known words. */
  next: readonly { name: string; about: CommandSpec['about'] | undefined }[]
}

/** Every place, the outer ones first. */
export function places(): Place[] {
  const main: Place = { path: [], flags: globalFlags, next: commands }
  return [main, ...commands.flatMap((command) => placesOf(command))]
}

function placesOf(command: CommandSpec): Place[] {
  const { name, actions = [], words = [] } = command
  const flags = command.reads === 'all' ? [] : [...command.flags, ...globalFlags]
  const next = [...actions, ...words.map((word) => ({ name: word, about: undefined }))]
  return [
    { path: [name], flags, next },
    ...actions.map((action) => ({
      path: [name, action.name],
      flags: [...action.flags, ...globalFlags],
      next: [],
    })),
  ]
}

/** All ways to write it. */
export function spellings({ name, alias, short }: Flag): string[] {
  return [`--${name}`, ...(alias ? [`--${alias}`] : []), ...(short ? [`-${short}`] : [])]
}

/** Each flag of the table once. */
export function allFlags(): Flag[] {
  return [...new Set(places().flatMap(({ flags }) => flags))]
}

/** The flags, however written, after which a word is their value. */
export function takingValue(): string[] {
  return allFlags()
    .filter(({ value }) => value && !value.isOptional)
    .flatMap(spellings)
}

/** Every path but the first, as a pattern of a shell's `case`. */
export function steps(): string[] {
  return places()
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `' ${path.join(' ')}'`)
}
