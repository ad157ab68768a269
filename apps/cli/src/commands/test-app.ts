import { type Client, createClient } from '@dataagent/client'
import type { SessionInfo } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { visibleWidth } from '@earendil-works/pi-tui'
import type { App, Choice, Preferences } from '../app/index.ts'
import { defaultBindings } from '../input/index.ts'
import type { Link } from '../link/index.ts'
import { createTrustStore } from '../mcp/index.ts'
import { startTestPlatform } from '../testing/test-platform.ts'
import { createTheme, type Screen, type Status, toClipboardSequence } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { runCommand } from './registry.ts'

type Person = 'ada' | 'boss'

const keyOf = (person: Person) => `key-of-${person}-0123456789abcdef`
const people = ['tenant=default;user=ada;role=user', 'tenant=default;user=boss;role=platform_admin']

/** A real platform with a user, `ada`, and an administrator, `boss`. */
export interface TestRig extends AsyncDisposable {
  url: string
  folder: string
  clientOf(person: Person): Client
  createApp(options?: TestAppOptions): TestApp
}

export interface TestAppOptions {
  /** Default `ada`. */
  as?: Person | undefined
  lang?: Lang | undefined
  /** Default 60. */
  columns?: number | undefined
  /** False: the terminal takes no clipboard. */
  canCopy?: boolean | undefined
}

/** The app with a person at it who answers as told, and everything that was shown. */
export interface TestApp {
  app: App
  client: Client
  /** Runs a line such as `/help`, and gives what was shown for it. */
  run(line: string): Promise<string>
  /** Says something to the agent in the session, and waits for its answer. */
  talk(message: string): Promise<void>
  /** The next answers to choices, by what their label holds; undefined leaves the list. */
  choices: (string | undefined)[]
  /** The next answers to questions. */
  confirmations: boolean[]
  /** The lists that were shown, each as its labels and what is said about them. */
  lists: string[][]
  questions: string[]
  /** What was written to the terminal's clipboard. */
  clipboard: string[]
  hasQuit: boolean
}

export async function startTestRig(env: Record<string, string> = {}): Promise<TestRig> {
  await using cleanup = new AsyncDisposableStack()
  const keys = [keyOf('ada'), keyOf('boss')].map((key, at) => `${people[at]};key=${key}`)
  const platform = cleanup.use(
    await startTestPlatform({ isDemo: true, env: { DATAAGENT_API_KEYS: keys.join(','), ...env } }),
  )
  const { path: folder } = cleanup.use(await temporaryDirectory())
  const clientOf = (person: Person) =>
    createClient({ baseUrl: platform.url, apiKey: keyOf(person) })
  const moved = cleanup.move()
  return {
    ...{ url: platform.url, folder, clientOf },
    createApp: (options = {}) =>
      createTestApp({ folder, url: platform.url, client: clientOf(options.as ?? 'ada'), options }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** The same where no platform can be reached. */
export function createAwayApp(options: TestAppOptions = {}): TestApp {
  const url = 'http://127.0.0.1:9'
  const client = createClient({ baseUrl: url, apiKey: 'none' })
  return createTestApp({ folder: '/none', url, client, options: { ...options, isAway: true } })
}

interface Parts {
  folder: string
  url: string
  client: Client
  options: TestAppOptions & { isAway?: boolean }
}

function createTestApp({ folder, url, client, options }: Parts): TestApp {
  const { as = 'ada', columns = 60, canCopy = true } = options
  const env = { LANG: 'C.UTF-8', TERM: 'xterm-256color' }
  let shown: string[] = []
  let session: SessionInfo | undefined
  let assistant_id = 'default'
  let lang: Lang = options.lang ?? 'en'
  let preferences: Preferences = { theme: undefined, lang: undefined }
  const status: Status = {
    ...{ agent: 'default', model: undefined, context: undefined, cost: undefined },
    ...{ mcp: undefined, approval: 'ask', link: 'live', queued: 0, isRunning: false },
  }
  const screen: Screen = {
    ...{ columns, rows: 24, print() {}, setLive() {}, focus() {}, requestRender() {} },
    ...{ onKey: () => () => {}, onResize: () => () => {}, redraw() {}, close() {} },
    isLent: false,
    lend: (work) => work(),
    copy(text) {
      const sequence = canCopy ? toClipboardSequence(text) : undefined
      if (sequence !== undefined) test.clipboard.push(sequence)
      return sequence !== undefined
    },
    [Symbol.dispose]() {},
  }
  const link: Link = {
    ...{ kind: 'remote', url, client, user_id: as, version: '0.1.0', setServers: undefined },
    lost: new Promise(() => {}),
    async [Symbol.asyncDispose]() {},
  }

  async function choose<T>(title: string, items: readonly Choice<T>[]): Promise<T | undefined> {
    test.lists.push([title, ...items.map(({ label, about = '' }) => `${label} | ${about}`)])
    const wanted = test.choices.shift()
    return items.find(({ label }) => wanted !== undefined && label.includes(wanted))?.value
  }

  const app: App = {
    ...{ screen, folder, choose, status, signal: new AbortController().signal },
    theme: createTheme({ name: 'mono', env, isTty: false }),
    bindings: defaultBindings,
    mcpFiles: { home: folder, env, flags: {}, trust: createTrustStore({ home: folder }) },
    machine: {
      ...{ env, isTty: true, isAttended: true },
      ...{ dataDir: folder, logFile: `${folder}/dataagent.log` },
    },
    get lang() {
      return lang
    },
    get assistant_id() {
      return assistant_id
    },
    get session() {
      return session
    },
    get preferences() {
      return preferences
    },
    async link() {
      if (options.isAway) throw new Error('The platform does not start.')
      return link
    },
    say: (text) => void shown.push(text),
    tell: (kind, text) => void shown.push(`[${kind}] ${text}`),
    askText: async () => undefined,
    async confirm(question) {
      test.questions.push(question)
      return test.confirmations.shift() ?? false
    },
    async open(session_id) {
      session = session_id === undefined ? undefined : await client.sessions.get(session_id)
      shown.push(`[opened] ${session?.title ?? 'new'}`)
    },
    stoppable: (work) => work(app.signal),
    resumeTurn: async () => void shown.push('[resumed]'),
    async setAgent(id) {
      assistant_id = id
      session = undefined
    },
    async setApprovalMode(mode) {
      status.approval = mode
    },
    async setPreferences(change) {
      preferences = { ...preferences, ...change }
      lang = preferences.lang ?? lang
    },
    reloadServers: async () => ({ servers: [], problems: [] }),
    openEditor: async () => void shown.push('[editor]'),
    ...{ send() {}, redraw() {} },
    quit: () => {
      test.hasQuit = true
    },
  }

  const test: TestApp = {
    ...{ app, client, choices: [], confirmations: [], lists: [], questions: [], clipboard: [] },
    hasQuit: false,
    async run(line) {
      shown = []
      await runCommand(line, app)
      return shown.join('\n')
    },
    async talk(message) {
      const place = session ? { session_id: session.session_id } : { assistant_id }
      const { session_id } = await client.chat.send({ message, ...place })
      session = await client.sessions.get(session_id)
    },
  }
  return test
}

/** The width of the widest line. */
export function widestOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => visibleWidth(line)))
}
