import type { Command } from './contract.ts'

export interface TypedCommand {
  command: Command
  args: string
}

export type FoundCommand =
  | ({ kind: 'command' } & TypedCommand)
  /** What was typed begins the names of several. */
  | { kind: 'ambiguous'; name: string; names: readonly string[] }
  | { kind: 'unknown'; name: string; nearest: string | undefined; args: string }

/** The command that a line is for: by its name or alias, or by a beginning that only it has. */
export function findIn(commands: readonly Command[], line: string): FoundCommand {
  const [, typed = '', args = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  const name = typed.toLowerCase()
  const command = commands.find((one) => namesOf(one).includes(name))
  if (command) return { kind: 'command', command, args: args.trim() }
  const begun = name === '' ? [] : commands.filter((one) => startsOf(one, name))
  const [only] = begun
  if (only && begun.length === 1) return { kind: 'command', command: only, args: args.trim() }
  if (only) return { kind: 'ambiguous', name, names: begun.map((one) => one.name) }
  return { kind: 'unknown', name, nearest: nearestOf(commands, name), args }
}

const namesOf = ({ name, aliases = [] }: Command): readonly string[] => [name, ...aliases]

function startsOf(command: Command, typed: string): boolean {
  return namesOf(command).some((name) => name.startsWith(typed))
}

function nearestOf(commands: readonly Command[], typed: string): string | undefined {
  let best: { name: string; distance: number } | undefined
  for (const name of commands.flatMap(namesOf)) {
    const distance = distanceOf(typed, name)
    if (distance < (best?.distance ?? 1 + Math.max(1, name.length / 2))) best = { name, distance }
  }
  return typed === '' ? undefined : best?.name
}

/** Letters that are added, left out, changed, or exchanged with their neighbour. */
function distanceOf(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const change = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, change)
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (isSwapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[from.length]![to.length]!
}
