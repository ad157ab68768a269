import type { IncomingMessage } from 'node:http'
import { AppError } from '@dataagent/schema/base'

/**
 * The body of a request as text. Rejects with `too_large`, at once where the request says so, with
 * `timeout` where it does not come within the time, and with `cancelled` where the client has gone.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, withinMs }: { maxBytes: number; withinMs: number },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  let size = 0
  let isOver = false
  const fail = (code: 'too_large' | 'timeout' | 'cancelled', message: string) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    request.removeAllListeners('data')
    chunks.length = 0
    reject(new AppError(code, message))
  }
  const timer = setTimeout(() => fail('timeout', 'The message did not come in time.'), withinMs)
  const tooLarge = () => fail('too_large', `A message has at most ${maxBytes} bytes.`)
  request.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) tooLarge()
  })
  request.on('end', () => {
    isOver = true
    clearTimeout(timer)
    resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString('utf8'))
  })
  const leave = () => fail('cancelled', 'The client has gone.')
  request.on('close', leave)
  if (request.destroyed) leave()
  if (Number(request.headers['content-length']) > maxBytes) tooLarge()
  return promise
}
