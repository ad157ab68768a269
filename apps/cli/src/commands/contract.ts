import type { App } from '../app/index.ts'
import type { Completion } from '../input/index.ts'
import type { Text } from '../words/index.ts'

export const commandGroups = ['session', 'data', 'agent', 'tools', 'use', 'program'] as const
export type CommandGroup = (typeof commandGroups)[number]

/** One /command. The table of all of them makes help, completion and what may run when. */
export interface Command {
  /** Without the slash. */
  name: string
  aliases?: readonly string[] | undefined
  /** Such as `[list|add|test]`; empty where it takes nothing. */
  usage: string
  about: Text
  /** Under which help lists it. Default `program`. */
  group?: CommandGroup | undefined
  /** What `/help NAME` tells beside `about`. */
  details?: Text | undefined
  /** Whether it may run while a turn is under way; others wait for its end. */
  whileRunning: boolean
  /** Whether it waits for others with these arguments: that is seen, and Esc and Ctrl-C stop it. */
  waits?(args: string): boolean
  complete?(words: string, app: App, signal: AbortSignal): Promise<readonly Completion[]>
  /** What it rejects with is told as one line; it need not catch. */
  run(args: string, app: App): Promise<void>
}
