// Ink: a line to type in, or with a setting a streamed answer below what was printed for good.
import { setTimeout as sleep } from 'node:timers/promises'
import { Box, render, Static, Text, useInput } from 'ink'
import { createElement, useState } from 'react'
import type { Drawing } from './contract.ts'
import { restMs, runStream } from './run-stream.ts'
import { untilWritten } from './until-written.ts'

const linesInText = 10
const [setting] = process.argv.slice(2)

if (setting === undefined) render(createElement(Prompt))
else await runStream(draw(), JSON.parse(setting))

function Prompt() {
  const [typed, setTyped] = useState('')
  useInput((input) => setTyped((before) => before + input))
  return createElement(Box, { borderStyle: 'single' }, createElement(Text, null, `> ${typed}`))
}

/** It has no Markdown of its own: the text is shown as it is, which costs less. */
function Conversation({ blocks, answer }: { blocks: readonly string[]; answer: string }) {
  const toBlock = (text: string, at: number) => createElement(Text, { key: at }, text)
  return createElement(
    Box,
    { flexDirection: 'column' },
    // biome-ignore lint/correctness/noChildrenProp: its type asks for it there
    createElement(Static<string>, { items: [...blocks], children: toBlock }),
    createElement(Text, null, answer),
    createElement(Prompt),
  )
}

function draw(): Drawing {
  let blocks: string[] = []
  const app = render(createElement(Conversation, { blocks, answer: '' }))
  return {
    async addHistory(lines) {
      const starts = Array.from({ length: Math.ceil(lines.length / linesInText) }, (_, at) => at)
      const at = (index: number) => lines.slice(index * linesInText, (index + 1) * linesInText)
      blocks = starts.map((index) => at(index).join('\n'))
      const isPrinted = untilWritten(lines.at(-1) ?? '')
      app.rerender(createElement(Conversation, { blocks, answer: '' }))
      await isPrinted
      await sleep(restMs)
    },
    update: (answer) => app.rerender(createElement(Conversation, { blocks, answer })),
    async end() {
      await sleep(50)
      app.unmount()
    },
  }
}
