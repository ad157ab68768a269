import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves when this program has written the text, within one line, and the terminal has taken all
 * of it; at once where there is no text. Call it before whatever writes the text.
 */
export async function untilWritten(text: string): Promise<void> {
  if (text === '') return
  const { stdout } = process
  const write = stdout.write
  const { promise, resolve } = Promise.withResolvers<void>()
  let tail = ''
  stdout.write = (...given: unknown[]) => {
    const written = tail + String(given[0])
    if (written.includes(text)) resolve()
    tail = written.slice(-text.length)
    return Reflect.apply(write, stdout, given)
  }
  await promise
  stdout.write = write
  // What is below the mark drains without a word.
  while (stdout.writableLength > 0) await sleep(5)
}
