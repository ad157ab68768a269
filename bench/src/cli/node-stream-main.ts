// Bare Node: writes the answer as it comes, which no program that draws can be faster than.
import type { Drawing } from './contract.ts'
import { runStream } from './run-stream.ts'

const [setting = '{}'] = process.argv.slice(2)
await runStream(draw(), JSON.parse(setting))

function draw(): Drawing {
  let sent = 0
  return {
    addHistory: (lines) => write(lines.map((line) => `${line}\n`).join('')),
    update(answer) {
      process.stdout.write(answer.slice(sent))
      sent = answer.length
    },
    end: () => write('\n'),
  }
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()))
}
