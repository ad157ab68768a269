import type { Resume } from '../args/index.ts'
import type { Acknowledgement } from '../hitl/index.ts'
import type { KeyBindings } from '../input/index.ts'
import type { Link } from '../link/index.ts'
import type { McpFiles } from '../mcp/index.ts'
import { createTranscript, type ThemeName } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { createAnswers } from './answers.ts'
import { createApprovals } from './approvals.ts'
import { begin } from './begin.ts'
import { createChosen } from './chosen.ts'
import { createContextWindow } from './context-window.ts'
import type { App, Machine } from './contract.ts'
import { createAgentServers } from './file-servers.ts'
import { messageOf } from './message-of.ts'
import { createNotices } from './notices.ts'
import type { KeptChoices } from './preferences.ts'
import { createCurrentSession } from './sessions.ts'
import type { CreateStage } from './stage.ts'
import { createStatusBoard } from './status-board.ts'
import { createStoppable } from './stoppable.ts'
import { createTypedLines } from './typed-lines.ts'
import { watchServers } from './watch-servers.ts'
import { words } from './words.ts'

export interface AppOptions {
  createStage: CreateStage
  /** Resolves when the platform is there; what it rejects with is told. */
  opening: Promise<Link>
  assistant_id: string
  folder: string
  machine: Machine
  bindings: KeyBindings
  mcpFiles: McpFiles
  lang: Lang | undefined
  theme: ThemeName | undefined
  choices: KeptChoices
  saveChoices(choices: KeptChoices): Promise<void>
}

export interface OpenApp extends Disposable {
  app: App
  /** Once the platform is there. Rejects where it is not. */
  begin(resume: Resume | undefined): Promise<void>
  /** Resolves when the person leaves. */
  left: Promise<void>
}

/** The program behind the stage: joins what is typed, what is shown, and what becomes of both. */
export function createApp(options: AppOptions): OpenApp {
  const { folder, machine, bindings, mcpFiles, opening } = options
  const leaving = new AbortController()
  const { signal } = leaving
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const link = () => opening
  const chosen = createChosen({ ...options, kept: options.choices, save: options.saveChoices })
  const lang = () => chosen.lang
  const theme = () => chosen.theme
  let { assistant_id } = options
  let transcript = newTranscript()
  let isLost = false

  const notices = createNotices({ screen: () => stage.screen, theme, signal })
  const { say, tell, tellFailure } = notices
  const session = createCurrentSession({
    link,
    assistant_id: () => assistant_id,
    isAuto: () => answers.mode === 'auto',
    onEvent(event) {
      transcript.add(event)
      if (event.event_type === 'done') void typed.runWaiting()
    },
    onChange: refresh,
    onRefused(message, error) {
      const why = isLost ? words.lostAdvice[chosen.lang] : messageOf(error)
      tell('bad', `${words.notSent[chosen.lang]}: ${why}`)
      stage.giveBack(message)
    },
    onServersChanged: () => servers.look(),
  })
  const acknowledgement: Acknowledgement = {
    isGiven: () => chosen.kept.knowsAutoApprove,
    give: () => void chosen.keep({ knowsAutoApprove: true }).catch(tellFailure),
  }
  const answers = createAnswers({
    ...{ session, link, lang, notices, acknowledgement, onChange: refresh },
    askAuto: () => stage.askAuto(),
    approvals: () => approvals,
  })
  const commands = createStoppable({ signal, now: Date.now, onChange: refresh })
  const typed = createTypedLines({
    ...{ session, app: () => app, onChange: refresh, stopCommand: commands.stop },
    giveBack: (text) => stage.giveBack(text),
  })
  const board = createStatusBoard({
    ...{ session, assistant_id: () => assistant_id, mode: () => answers.mode },
  })
  const servers = watchServers({ link: opening, onSeen: board.setServers, onChange: refresh })
  const files = createAgentServers({ app: () => app, onChange: servers.look })
  const contextWindow = createContextWindow({
    ...{ session, link },
    onRead(share) {
      board.setContext(share)
      stage.update()
    },
  })
  const stage = options.createStage({
    ...{ theme, lang, acknowledgement, quit },
    status: board.read,
    transcript: () => transcript,
    queued: () => session.queued,
    takeBack: session.takeBack,
    decide: (...answer) => void answers.decide(...answer),
    submit: typed.submit,
    isBusy: () =>
      typed.isBusy || session.queued.length > 0 || session.conversation?.isRunning === true,
    stop: typed.stop,
    commandSince: () => commands.since,
    toggleApproval: () => void answers.switchTo(undefined).catch(tellFailure),
  })
  const approvals = createApprovals({
    questions: stage.questions,
    client: async () => (await opening).client,
  })

  function refresh(): void {
    if (signal.aborted) return
    const { conversation } = session
    // What has been decided since is still on its way before that.
    if (conversation?.isCaughtUp) answers.settle(conversation)
    else if (conversation === undefined) approvals.sync([], () => 'withdrawn')
    contextWindow.look()
    stage.update()
  }

  /** What is laid out from now on is of the theme and language that are chosen by then. */
  function newTranscript() {
    return createTranscript({
      get theme() {
        return chosen.theme
      },
      get lang() {
        return chosen.lang
      },
      clock: { now: () => Date.now() },
    })
  }

  async function open(session_id: string | undefined, agent = assistant_id): Promise<void> {
    const found = session_id === undefined ? undefined : await read(session_id)
    const [left, former] = [session.info, assistant_id]
    session.leave()
    answers.begin(found, left)
    transcript = newTranscript()
    assistant_id = found?.assistant_id ?? agent
    if (found) await session.open(found)
    refresh()
    if (assistant_id !== former) await files.follow()
  }

  async function read(session_id: string) {
    const { client } = await opening
    return client.sessions.get(session_id)
  }

  function quit(): void {
    leaving.abort()
    leave()
  }

  const app: App = {
    get screen() {
      return stage.screen
    },
    get theme() {
      return chosen.theme
    },
    get lang() {
      return chosen.lang
    },
    get status() {
      return board.read()
    },
    get assistant_id() {
      return assistant_id
    },
    get session() {
      return session.info
    },
    get preferences() {
      return chosen.kept
    },
    ...{ folder, machine, bindings, mcpFiles, signal, link, say, tell, quit },
    open: (session_id) => open(session_id),
    choose: stage.choose,
    askText: stage.askText,
    confirm: stage.confirm,
    stoppable: commands.run,
    async resumeTurn() {
      transcript.begin()
      await session.conversation?.resume().catch((error) => {
        transcript.end()
        throw error
      })
    },
    setAgent: (id) => open(undefined, id),
    setApprovalMode: answers.switchTo,
    async setPreferences(change) {
      await chosen.change(change)
      stage.restyle()
      refresh()
    },
    reloadServers: files.reload,
    openEditor: stage.openEditor,
    send: typed.submit,
    redraw: () => stage.screen.redraw(),
  }

  return {
    app,
    begin: (resume) =>
      begin(resume, {
        onLost() {
          isLost = true
          session.lose()
          transcript.end()
          void typed.runWaiting()
          refresh()
        },
        ...{ app, notices, useFiles: files.follow, command: typed.command },
        setLink(state) {
          board.setLink(state)
          refresh()
        },
      }),
    left,
    [Symbol.dispose]() {
      leaving.abort()
      servers[Symbol.dispose]()
      session[Symbol.dispose]()
      stage[Symbol.dispose]()
    },
  }
}
