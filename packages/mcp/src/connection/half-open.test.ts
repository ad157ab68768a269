import { startFaultProxy, startHostileHttp, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { createConnection } from './connection.ts'

const healthEveryMs = 500
/** Twice the time is promised; five times that is for a machine that has other things to do. */
const withinMs = 5 * 2 * healthEveryMs

const kinds = ['black_hole', 'half_open', 'stall'] as const

const cases = kinds.flatMap((kind) => [
  { kind, transport: 'http' as const },
  { kind, transport: 'sse' as const },
])

test.each(cases)(
  'a quiet connection over $transport is found out in a $kind [F8]',
  async (given) => {
    const isSse = given.transport === 'sse'
    await using server = await startHostileHttp('none')
    await using proxy = await startFaultProxy({ target: isSse ? server.sseUrl : server.url })
    const create = isSse ? createSseTransport : createHttpTransport
    await using connection = createConnection({
      name: 'far',
      createTransport: () => create({ url: proxy.url }),
      healthEveryMs,
    })
    await connection.open()
    await proxy.set({ kind: given.kind })
    await waitFor(() => connection.state.status !== 'ready', { timeoutMs: withinMs })
    expect(connection.tools).toEqual([])
    await proxy.set({ kind: 'pass' })
    await waitFor(() => connection.state.status === 'ready', { timeoutMs: 60_000 })
    const { content } = await connection.callTool('echo', { message: 'hi' })
    expect(content).toEqual([{ type: 'text', text: 'hi' }])
  },
)
