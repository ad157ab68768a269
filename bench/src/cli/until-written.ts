import { once } from 'node:events'

/**
 * Resolves when this program has written the text, within one line, and the terminal has taken all
 * of it. Call it before whatever writes the text.
 */
export async function untilWritten(text: string): Promise<void> {
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
  while (stdout.writableLength > 0) await once(stdout, 'drain')
}
