import type { App } from '../app/index.ts'
import type { Completion, CompletionQuery } from '../input/index.ts'
import { toPlainLine } from '../ui/index.ts'
import type { Command } from './contract.ts'
import { explainError } from './explain.ts'
import { type FoundCommand, findIn, type TypedCommand } from './find.ts'
import { commands } from './table.ts'
import { ambiguousCommand, asMessage, stopped, unknownCommand } from './words.ts'

/** The command that a line is for, such as `/sess rain`. */
export function findCommand(line: string): FoundCommand {
  return findIn(commands, line)
}

/** Runs what a line asks for. What goes wrong is told as one line; it never rejects. */
export async function runCommand(line: string, app: App): Promise<void> {
  const found = findCommand(line)
  if (found.kind === 'unknown') {
    const told = unknownCommand(found.name, found.nearest)[app.lang]
    app.tell('warn', found.args === '' ? told : `${told} ${asMessage[app.lang]}`)
    return
  }
  if (found.kind === 'ambiguous') {
    app.tell('info', ambiguousCommand(found.name, found.names)[app.lang])
    return
  }
  try {
    if (found.command.waits?.(found.args)) await runStoppable(found, app)
    else await found.command.run(found.args, app)
  } catch (error) {
    app.tell('bad', explainError(error, app.lang))
  }
}

function runStoppable({ command, args }: TypedCommand, app: App): Promise<void> {
  return app.stoppable(async (signal) => {
    try {
      // The same in all but its signal; its getters stay getters.
      await command.run(args, Object.create(app, { signal: { value: signal } }))
    } catch (error) {
      if (!signal.aborted) throw error
      if (!app.signal.aborted) app.tell('warn', stopped[app.lang])
    }
  })
}

/** Commands by what is typed of their name, and what each knows of its arguments. */
export async function completeCommands(
  { kind, text, before }: CompletionQuery,
  app: App,
  signal: AbortSignal,
): Promise<readonly Completion[]> {
  if (kind === 'command') return namesFor(text, app)
  if (kind !== 'argument') return []
  const found = findCommand(before)
  if (found.kind !== 'command') return []
  const words = found.args === '' ? text : `${found.args} ${text}`
  const completions = await found.command.complete?.(words, app, signal).catch(() => [])
  return completions?.filter(isPlain) ?? []
}

/** Names of files and tools are others': what would not show as it is, is not put in the prompt. */
function isPlain({ value }: Completion): boolean {
  return toPlainLine(value) === value
}

/** Those that begin with it first, then those that hold it. */
function namesFor(typed: string, app: App): Completion[] {
  const name = typed.replace(/^\//, '').toLowerCase()
  const starting = commands.filter((command) => beginsWith(command, name))
  const holding = commands.filter((one) => !starting.includes(one) && one.name.includes(name))
  return [...starting, ...holding].map((command) => ({
    value: command.name,
    label: `/${command.name}`,
    about: command.about[app.lang],
  }))
}

function beginsWith({ name, aliases = [] }: Command, typed: string): boolean {
  return name.startsWith(typed) || aliases.some((alias) => alias.startsWith(typed))
}
