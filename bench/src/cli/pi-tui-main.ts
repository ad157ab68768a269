// pi-tui alone: an editor, or with a setting a streamed answer on its own screen.
import { setTimeout as sleep } from 'node:timers/promises'
import { Editor, Markdown, ProcessTerminal, Text, TuiMainScreen } from '@earendil-works/pi-tui'
import type { Drawing } from './contract.ts'
import { restMs, runStream } from './run-stream.ts'
import { untilWritten } from './until-written.ts'

const asIs = (text: string) => text
const list = {
  ...{ selectedPrefix: asIs, selectedText: asIs, description: asIs },
  ...{ scrollInfo: asIs, noMatch: asIs },
}
const paint = (code: number) => (text: string) => `\x1b[${code}m${text}\x1b[0m`
const markdown = {
  ...{ heading: paint(36), link: paint(34), linkUrl: paint(2), code: paint(33), codeBlock: asIs },
  ...{ codeBlockBorder: paint(2), quote: paint(3), quoteBorder: paint(2), hr: paint(2) },
  ...{ listBullet: paint(36), bold: paint(1), italic: paint(3), strikethrough: paint(9) },
  underline: paint(4),
}
const linesInText = 10
const [setting] = process.argv.slice(2)

const tui = new TuiMainScreen(new ProcessTerminal())
const editor = new Editor(tui, { borderColor: asIs, selectList: list })

if (setting === undefined) {
  tui.addChild(editor)
  tui.setFocus(editor)
  tui.start()
} else await runStream(draw(), JSON.parse(setting))

function draw(): Drawing {
  const answer = new Markdown('', 0, 0, markdown)
  return {
    async addHistory(lines) {
      for (let at = 0; at < lines.length; at += linesInText)
        tui.addChild(new Text(lines.slice(at, at + linesInText).join('\n'), 0, 0))
      tui.addChild(answer)
      tui.addChild(editor)
      tui.setFocus(editor)
      const isPrinted = untilWritten(lines.at(-1) ?? '')
      tui.start()
      await isPrinted
      await sleep(restMs)
    },
    update(text) {
      answer.setText(text)
      tui.requestRender()
    },
    async end() {
      await sleep(50)
      tui.stop()
    },
  }
}
