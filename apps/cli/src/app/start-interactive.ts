import { join } from 'node:path'
import { systemClock } from '@dataagent/guard'
import { ProcessTerminal } from '@earendil-works/pi-tui'
import { withoutPassword } from '../args/index.ts'
import { createHistory, readBindings } from '../input/index.ts'
import type { Link } from '../link/index.ts'
import { createTrustStore } from '../mcp/index.ts'
import {
  dataDirOf,
  folderOf,
  logFileOf,
  type PlatformOptions,
  serverOf,
} from '../platform/index.ts'
import { createScreen, renderHeader } from '../ui/index.ts'
import { createComplete } from './complete.ts'
import type { InteractiveOptions, Machine } from './contract.ts'
import { createApp, type OpenApp } from './create-app.ts'
import { endWell } from './end-well.ts'
import { createLineStage, type LineStage } from './line-stage.ts'
import { messageOf } from './message-of.ts'
import { readChoices, writeChoices } from './preferences.ts'
import { createScreenStage } from './screen-stage.ts'
import type { CreateStage } from './stage.ts'
import { words } from './words.ts'

/** The interactive agent, until the person leaves it. Gives the exit code. */
export async function startInteractive(given: InteractiveOptions): Promise<number> {
  const leaving = new AbortController()
  const { promise: greeted, resolve: onGreeted } = Promise.withResolvers<void>()
  // The prompt first: what opens the platform would keep the processor from it.
  const opening = greeted.then(() => open({ ...given, signal: leaving.signal }))
  // Told when it is waited for.
  opening.catch(() => {})
  try {
    return await untilLeft(given, opening, onGreeted)
  } finally {
    onGreeted()
    leaving.abort()
    await opening.then((link) => link[Symbol.asyncDispose]()).catch(() => {})
  }
}

async function untilLeft(
  given: InteractiveOptions,
  opening: Promise<Link>,
  onGreeted: () => void,
): Promise<number> {
  const { options, env } = given
  const ownDir = join(given.home, '.deepagents')
  const choicesFile = join(ownDir, 'preferences.json')
  const choices = await readChoices(choicesFile)
  const lang = options.lang ?? choices.lang ?? given.lang
  const logFile = logFileOf(given)
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const history = createHistory({ file: join(ownDir, 'history.jsonl') })
  using cleanup = new DisposableStack()
  const isPlain = options.isPlain || env.TERM === 'dumb' || !isAttended()
  const { bindings, warning } = await readBindings(join(ownDir, 'keybindings.json'), lang)
  const createStage = isPlain ? onLines() : onScreen()
  const opened = cleanup.use(
    createApp({
      ...{ createStage, opening, choices, lang, theme: options.theme },
      assistant_id: options.assistant_id ?? 'default',
      folder: folderOf(given),
      ...{ machine: toMachine(given), bindings },
      mcpFiles: { home: given.home, env, flags: options, trust: createTrustStore(given) },
      saveChoices: (kept) => writeChoices(choicesFile, kept),
    }),
  )
  greet(opened, given)
  if (warning !== undefined) opened.app.tell('warn', warning)
  // Behind the first frame, which waits for its turn too.
  setImmediate(() => setTimeout(onGreeted, 0))
  opened.begin(options.resume).catch((error: unknown) => {
    if (opened.app.signal.aborted) return
    const { tell } = opened.app
    const isOwn = serverOf(given) === undefined
    tell('bad', `${words[isOwn ? 'notStarted' : 'notConnected'][lang]}: ${messageOf(error)}`)
    tell('info', isOwn ? `${words.logAt[lang]}: ${logFile}` : words.startAgain[lang])
  })
  void opened.left.then(() => end(0))
  const code = await ended
  const { session } = opened.app
  cleanup.dispose()
  if (session && process.stdout.isTTY) {
    process.stdout.write(`${words.goOn[lang]}: dataagent --resume ${session.session_id}\n`)
  }
  await history.flush()
  return code

  function onScreen(): CreateStage {
    const screen = createScreen({
      terminal: new ProcessTerminal(),
      waiting: () => process.stdout.writableLength,
      onDrain: (handle) => void process.stdout.once('drain', handle),
    })
    cleanup.use(endWell({ screen, lang, logFile, leave: end }))
    const complete = createComplete(() => opened.app)
    const parts = { screen, clock: systemClock, history, bindings, complete, env }
    return (backstage) => createScreenStage(parts, backstage)
  }

  function onLines(): CreateStage {
    const nothingDrawn = { close() {}, isLent: false }
    let stage: LineStage | undefined
    const interrupt = () => stage?.interrupt() ?? false
    cleanup.use(endWell({ screen: nothingDrawn, lang, logFile, interrupt, leave: end }))
    const streams = { input: process.stdin, output: process.stdout }
    return (backstage) => {
      stage = createLineStage(streams, backstage)
      return stage
    }
  }
}

function toMachine(given: InteractiveOptions): Machine {
  const dataDir = dataDirOf(given) ?? join(given.home, '.dataagent')
  return {
    ...{ env: given.env, isTty: process.stdout.isTTY, isAttended: isAttended() },
    ...{ dataDir, logFile: logFileOf(given) },
  }
}

function isAttended(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY
}

async function open(given: PlatformOptions): Promise<Link> {
  given.signal?.throwIfAborted()
  const { openBarePlatform } = await import('../platform/index.ts')
  return openBarePlatform(given)
}

function greet({ app }: OpenApp, given: InteractiveOptions): void {
  const { theme, lang, screen, assistant_id: agent, folder } = app
  const about = { version: given.version, folder, agent, model: undefined }
  const server = serverOf(given)
  const facts = { ...about, server: server && withoutPassword(server) }
  screen.print([...renderHeader(facts, { theme, lang, width: screen.columns }), ''])
}
