import { findCommand, runCommand } from '../commands/index.ts'
import { messageMax } from '../message-max.ts'
import { toPlainLine } from '../ui/index.ts'
import type { App } from './contract.ts'
import type { CurrentSession } from './sessions.ts'
import { words } from './words.ts'

export interface TypedLinesOptions {
  app(): App
  session: Pick<CurrentSession, 'conversation' | 'send' | 'takeAll'>
  /** Stops a command that waits for others; false where there is none. */
  stopCommand(): boolean
  /** What was not sent is there again to be sent. */
  giveBack(text: string): void
  onChange(): void
}

/** What becomes of what is typed: a command is run, all else is said to the agent. */
export interface TypedLines {
  /** A command is under way, or waits. */
  readonly isBusy: boolean
  submit(text: string): void
  /** Never rejects: what goes wrong is told. */
  command(line: string): Promise<void>
  /** The turn has ended: commands that waited for it run, one after the other. */
  runWaiting(): Promise<void>
  /** Stops a command that waits, else the turn under way; false where there is neither. */
  stop(): boolean
}

export function createTypedLines({ app, session, ...options }: TypedLinesOptions): TypedLines {
  /** Commands that were typed while a turn was under way and must wait for its end. */
  const waiting: string[] = []
  let running = 0

  async function command(line: string): Promise<void> {
    const found = findCommand(line)
    const mustWait = found.kind === 'command' && !found.command.whileRunning
    if (mustWait && session.conversation?.isRunning) {
      waiting.push(line)
      app().tell('info', words.waitsForTurn[app().lang])
      return
    }
    await doing(() => runCommand(line, app()))
  }

  function echo(text: string): void {
    const { theme, say } = app()
    say(`\n${theme.dim(`${theme.glyphs.prompt} ${toPlainLine(text)}`)}`)
  }

  async function doing(work: () => Promise<void>): Promise<void> {
    running++
    try {
      await work()
    } finally {
      running--
      options.onChange()
    }
  }

  return {
    get isBusy() {
      return running > 0 || waiting.length > 0
    },
    submit(text) {
      if (isForCommand(text)) {
        // What is given back is seen there.
        if (findCommand(text).kind === 'command') echo(text)
        else options.giveBack(text)
        void command(text)
      } else if (text.length > messageMax) {
        app().tell('bad', words.tooLong(text.length, messageMax)[app().lang])
        options.giveBack(text)
      } else session.send(text)
    },
    command,
    async runWaiting() {
      const lines = waiting.splice(0)
      if (lines.length === 0) return
      await doing(async () => {
        for (const line of lines) await command(line)
      })
    },
    stop() {
      if (options.stopCommand()) return true
      const { conversation } = session
      if (!conversation?.isRunning) return false
      conversation.cancel()
      // What waits was meant to follow a turn that is stopped now: it is the person's to say.
      const rest = session.takeAll()
      if (rest !== '') options.giveBack(rest)
      return true
    },
  }
}

/** A slash, alone or with one plain word. Any other sign there is of a path or a comment. */
function isForCommand(text: string): boolean {
  return /^\/(?:$|(?:[\p{L}\p{N}_-]+|\?)(?:\s|$))/u.test(text)
}
