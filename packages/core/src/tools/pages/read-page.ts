import { extname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Clock, startProcess } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { PageAnswer, PageRequest } from './page-main.ts'

export interface ReadPageOptions {
  clock: Clock
  timeoutMs: number
  signal: AbortSignal
}

const memoryMb = 256
const overdue =
  'The page is too large or too tangled to be made readable. Try another page, or http_request'

/**
 * A page as Markdown. It is read in a process of its own: what a page makes of the memory of a
 * thread can end the whole process. Throws `timeout`, `too_large`, `cancelled` or
 * `invalid_request`.
 */
export async function readPage(page: PageRequest, options: ReadPageOptions): Promise<string> {
  const { clock, signal } = options
  await using reader = await startProcess({
    command: process.execPath,
    args: [`--max-old-space-size=${memoryMb}`, program()],
    ...{ env: {}, clock, signal, graceMs: 0 },
  })
  let isLate = false
  const cancelTimer = clock.after(options.timeoutMs, () => {
    isLate = true
    void reader.kill()
  })
  reader.stdin.end(JSON.stringify(page))
  const said = await text(reader.stdout).finally(cancelTimer)
  if (signal.aborted) throw new AppError('cancelled', 'The call was cancelled')
  if (isLate) throw new AppError('timeout', overdue)
  const { code } = await reader.exited
  if (code !== 0) throw new AppError('too_large', overdue)
  return toText(JSON.parse(said))
}

function program(): string {
  return fileURLToPath(new URL(`./page-main${extname(import.meta.filename)}`, import.meta.url))
}

function toText(answer: PageAnswer): string {
  if ('failure' in answer) throw new AppError('invalid_request', answer.failure)
  return answer.title === '' ? answer.markdown : `# ${answer.title}\n\n${answer.markdown}`
}
