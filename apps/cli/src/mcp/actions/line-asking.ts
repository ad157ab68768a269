import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Choice } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Asking } from './contract.ts'

export interface LineAskingOptions {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  signal: AbortSignal
}

/** Asks line by line, for programs that have a terminal but no screen of ours. */
export function createLineAsking({ input, output, signal }: LineAskingOptions): Asking {
  /** Undefined at Ctrl-C, Ctrl-D, or when all is to stop. */
  async function askLine(question: string, isSecret = false): Promise<string | undefined> {
    // The line that is typed on is drawn anew with every key: it begins with what is asked there.
    const prompt = isSecret ? '' : (question.split('\n').at(-1) ?? '')
    output.write(question.slice(0, question.length - prompt.length))
    const shown = isSecret ? new Writable({ write: (_chunk, _form, next) => next() }) : output
    using lines = createInterface({ input, output: shown, terminal: input.isTTY })
    const left = new AbortController()
    lines.once('close', () => left.abort())
    try {
      return await lines.question(prompt, { signal: AbortSignal.any([signal, left.signal]) })
    } catch {
      return undefined
    } finally {
      if (isSecret) output.write('\n')
    }
  }

  return {
    async choose<T>(title: string, items: readonly Choice<T>[]) {
      const lines = items.map(({ label, about }, at) => {
        return `  ${at + 1}. ${toPlainLine(label)}${about ? `  ${toPlainLine(about)}` : ''}\n`
      })
      const answer = await askLine(`${title}\n${lines.join('')}1–${items.length}: `)
      return items[Number(answer) - 1]?.value
    },
    async confirm(question) {
      const answer = await askLine(`${question} [y/N] `)
      return /^(y|yes|是|好|同意)$/i.test(answer?.trim() ?? '')
    },
    async askText(title, { isSecret = false, initial } = {}) {
      const answer = await askLine(`${title}: `, isSecret)
      return answer === '' ? initial : answer
    },
  }
}
