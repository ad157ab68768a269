import { type Fault, startFaultProxy, startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createConnection } from './connection.ts'

const healthEveryMs = 500
/** Twice the time is promised; five times that is for a machine that has other things to do. */
const withinMs = 5 * 2 * healthEveryMs

const silences: Fault[] = [{ kind: 'black_hole' }, { kind: 'half_open' }, { kind: 'stall' }]

test.each(silences)('a quiet connection with %o is found out, and found again', async (silence) => {
  await using server = await startHostileHttp('none')
  await using proxy = await startFaultProxy({ target: server.url })
  await using connection = createConnection({
    name: 'far',
    createTransport: () => createHttpTransport({ url: proxy.url }),
    healthEveryMs,
  })
  await connection.open()
  await proxy.set(silence)
  await waitFor(() => connection.state.status !== 'ready', { timeoutMs: withinMs })
  expect(connection.tools).toEqual([])
  await proxy.set({ kind: 'pass' })
  await waitFor(() => connection.state.status === 'ready', { timeoutMs: 60_000 })
  const { content } = await connection.callTool('echo', { message: 'hi' })
  expect(content).toEqual([{ type: 'text', text: 'hi' }])
})
