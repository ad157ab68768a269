import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type TemporaryDirectory, temporaryDirectory } from '@dataagent/testkit'
import { quietMs } from '../hitl/index.ts'
import type { TestPlatform } from '../testing/test-platform.ts'
import { launcher } from '../testing/test-program.ts'
import { openTestTerminal, type TestTerminal } from '../testing/test-terminal.ts'

export interface StoryOptions {
  /** Without one the terminal brings its own. */
  platform?: Pick<TestPlatform, 'url' | 'apiKey'> | undefined
  args?: readonly string[]
  env?: Record<string, string>
  columns?: number
  rows?: number
  /** Standard input comes of a pipe that says this and ends. */
  input?: string
  /** The person's own folder, kept from an earlier start. */
  home?: TemporaryDirectory
}

/** `dataagent` on a terminal, and the folders that it sees. */
export interface Story extends TestTerminal {
  home: string
  folder: string
  /** Types a line and sends it. */
  say(text: string): void
  /**
   * Sees a question, and lets the quiet pass before which its keys do not count. That begins before
   * the question is drawn and has no sign on the screen: its length is all there is to wait for.
   */
  read(question: string | RegExp): Promise<void>
}

/** What a terminal sends for keys. */
export const key = {
  enter: '\r',
  escape: '\x1b',
  up: '\x1b[A',
  down: '\x1b[B',
  tab: '\t',
  shiftTab: '\x1b[Z',
  altEnter: '\x1b\r',
  ctrl: (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 96),
}

export async function openStory(options: StoryOptions = {}): Promise<Story> {
  const { platform, args = [], env = {}, input } = options
  const program = [process.execPath, launcher, ...args]
  const cleanup = new AsyncDisposableStack()
  const home = options.home ?? cleanup.use(await temporaryDirectory())
  const folder = await mkdtemp(join(home.path, 'work-'))
  const terminal = cleanup.use(
    await openTestTerminal({
      command:
        input === undefined ? program : ['sh', '-c', 'printf %s "$0" | "$@"', input, ...program],
      cwd: folder,
      ...(options.columns !== undefined && { columns: options.columns }),
      ...(options.rows !== undefined && { rows: options.rows }),
      env: {
        ...{ PATH: '/usr/bin:/bin', HOME: home.path },
        ...(platform && {
          ...{ DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey },
        }),
        ...env,
      },
    }),
  )
  return {
    ...terminal,
    home: home.path,
    folder,
    say: (text) => terminal.write(`${text}${key.enter}`),
    async read(question) {
      await terminal.see(question)
      await setTimeout(quietMs)
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
