// Our own screen and transcript, with the events of a real turn.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProcessTerminal } from '@earendil-works/pi-tui'
import type { Drawing } from './contract.ts'
import { restMs, runStream } from './run-stream.ts'
import { untilWritten } from './until-written.ts'

/** What of the terminal's `ui` room is measured; see its contract. */
interface OwnUi {
  createTheme(options: object): unknown
  createTranscript(options: object): OwnTranscript
  createScreen(options: object): OwnScreen
}

interface OwnTranscript {
  add(event: object): void
  takeLines(width: number): string[]
  renderLive(width: number, rows: number): string[]
}

interface OwnScreen {
  readonly columns: number
  readonly rows: number
  print(lines: readonly string[]): void
  setLive(components: readonly object[]): void
  requestRender(): void
  close(): void
}

const [source = '', setting = '{}'] = process.argv.slice(2)
const ui: OwnUi = await import(join(source, 'ui/index.ts'))
await runStream(draw(), JSON.parse(setting))

function draw(): Drawing {
  const theme = ui.createTheme({ name: 'dark', env: process.env, isTty: true })
  const transcript = ui.createTranscript({ theme, lang: 'en', clock: Date })
  const screen = ui.createScreen({
    terminal: new ProcessTerminal(),
    waiting: () => process.stdout.writableLength,
    onDrain: (handle: () => void) => void process.stdout.once('drain', handle),
  })
  const live = {
    render: (width: number) => transcript.renderLive(width, screen.rows - 4),
    invalidate() {},
  }
  screen.setLive([live])
  let sent = 0
  const at = { session_id: 'bench', run_id: 'run', timestamp: Date.now() }

  const show = () => {
    const lines = transcript.takeLines(screen.columns)
    if (lines.length > 0) screen.print(lines)
    screen.requestRender()
  }

  return {
    async addHistory(lines) {
      const content = 'all of it is printed'
      const isPrinted = untilWritten(content)
      screen.print(lines)
      transcript.add({ ...at, seq: 1, event_type: 'user_message', message_id: 'm', content })
      show()
      await isPrinted
      await sleep(restMs)
    },
    update(answer) {
      const content = answer.slice(sent)
      const delta = { ...at, seq: 2, event_type: 'text', offset: sent, content, is_final: false }
      transcript.add(delta)
      sent = answer.length
      show()
    },
    async end() {
      transcript.add({ ...at, seq: 3, event_type: 'done', cancelled: false })
      show()
      await sleep(50)
      screen.close()
    },
  }
}
