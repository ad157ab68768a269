import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createHttpTransport } from '../transports/http/http-transport.ts'
import { createSseTransport } from '../transports/sse/sse-transport.ts'
import { describeEverything } from './describe-everything.ts'
import { talkTo } from './test-everything.ts'
import { startEverything } from './test-http-server.ts'

describeEverything('sse')

test('an address of the older kind is found out once, and remembered over a restart', async () => {
  await using server = await startEverything('sse')
  const { url } = server
  const ways: string[] = []
  const createTransport = (way: 'usual' | 'sse') => {
    ways.push(way)
    return way === 'usual' ? createHttpTransport({ url }) : createSseTransport({ url })
  }
  await using talk = await talkTo({ createTransport })
  expect(ways).toEqual(['usual', 'sse'])
  const told = talk.events.filter(({ kind }) => kind === 'verdict')
  expect(told).toMatchObject([{ verdict: { era: 'legacy', sse: true } }])

  await server.kill()
  await waitFor(() => talk.connection.state.status !== 'ready')
  await server.comeBack()
  await waitFor(() => talk.connection.state.status === 'ready', { timeoutMs: 20_000 })
  expect(new Set(ways.slice(2))).toEqual(new Set(['sse']))
  expect(await talk.call('echo', { message: 'hi' })).toBe('Echo: hi')
})
