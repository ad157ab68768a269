import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { longCount, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createStdioTransport } from './stdio-transport.ts'
import { lineServer, openTransport, shellServer } from './test-transport.ts'

const mebibyte = 1024 * 1024

function isAlive(pid: unknown): boolean {
  try {
    return /\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

const events = { onMessage() {}, onClose() {}, onWarning() {} }

describe('a call [C3.3]', () => {
  test('TestStdioTransport_Call: many are under way at once, each gets the answer with its id', async () => {
    await using server = await openTransport()
    const calls = [1, 2, 3].map((n) => server.ask('hang', { n }))
    const last = server.ask('release', { n: 4 })
    const order: unknown[] = []
    for (const call of [...calls, last]) void call.then((result) => order.push(result))
    expect(await Promise.all([...calls, last])).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
    expect(order).toEqual([{ n: 3 }, { n: 2 }, { n: 1 }, { n: 4 }])
  })

  test('after a cancelled one the next gets its own answer, and the late one is nobody’s', async () => {
    await using server = await openTransport()
    const aborter = new AbortController()
    const first = server.ask('hang', { n: 1 }, { signal: aborter.signal })
    await server.ask('echo')
    aborter.abort(new Error('enough'))
    await expect(first).rejects.toMatchObject({
      kind: 'cancelled',
      mayHaveRun: true,
      cause: aborter.signal.reason,
    })
    expect(await server.ask('release', { n: 2 })).toEqual({ n: 2 })
    expect(await server.ask('echo', { n: 3 })).toEqual({ n: 3 })
    expect(server.warnings).toEqual([])
  })
})
