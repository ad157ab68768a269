import type { McpError } from '../errors.ts'
import { createConnection } from './connection.ts'
import { toFailure } from './test-failures.ts'
import { createTestServer } from './test-server.ts'

/**
 * A program that has nothing but a connection, and only unreferenced timers below it. It waits for
 * the end of an opening that is not answered, or for a status after a loss and a failed attempt;
 * tells what it saw; and leaves the connection as it is.
 */
const [wanted] = process.argv.slice(2)
const server = createTestServer('echo')
const reached = Promise.withResolvers<void>()
let failures = 0
const connection = createConnection({
  name: 'waiting',
  createTransport: server.createTransport,
  timeoutMs: 300,
  backoff: { firstMs: 200, maxMs: 400 },
  onEvent(event) {
    if (event.kind !== 'state') return
    if (event.state.status === 'backing_off') failures += 1
    if (failures === 2) server.startFails = lastFailure()
    if (failures === 2 && event.state.status === wanted) reached.resolve()
  },
})
console.log(wanted === 'timeout' ? await openInVain() : await loseAndWait())

async function openInVain(): Promise<string> {
  server.answers.set('initialize', () => new Promise(() => undefined))
  return await connection.open().then(String, ({ kind }: McpError) => kind)
}

async function loseAndWait(): Promise<string> {
  await connection.open()
  server.startFails = toFailure('start')
  server.die()
  await reached.promise
  return connection.state.status
}

function lastFailure(): McpError | undefined {
  if (wanted === 'failed') return toFailure('http', { statusCode: 401 })
  return wanted === 'needs_sign_in' ? toFailure('sign_in') : undefined
}
