import type { SessionInfo, SessionUpdate } from '@dataagent/schema'
import { waitFor } from '@dataagent/testkit'
import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { type ServerSwitch, sessionKey, switchServer, toOff } from './server-switches.ts'

/** A server that keeps one session and answers a change when the test says so. */
function createKept() {
  let servers_off: readonly string[] = []
  const asked: { off: unknown; answer(): void; fail(): void }[] = []
  const info = () => ({ session_id: 's1', servers_off }) as SessionInfo
  const update = (_: string, { servers_off: off = [] }: SessionUpdate) =>
    new Promise<SessionInfo>((resolve, reject) => {
      const answer = () => {
        servers_off = off
        resolve(info())
      }
      asked.push({ off, answer, fail: () => reject(new Error('No.')) })
    })
  return { info, asked, client: { sessions: { update } } }
}

async function open() {
  const kept = createKept()
  const queries = new QueryClient()
  const queryKey = sessionKey('s1')
  const query = new QueryObserver(queries, { queryKey, queryFn: kept.info })
  const stop = query.subscribe(() => {})
  await waitFor(() => query.getCurrentResult().data)
  const failures: unknown[] = []
  const flip = (change: ServerSwitch) =>
    new MutationObserver(
      queries,
      switchServer({
        ...{ client: kept.client, queries, session_id: 's1' },
        onFailed: (error) => failures.push(error),
      }),
    ).mutate(change)
  const off = () => queries.getQueryData<SessionInfo>(queryKey)?.servers_off
  const close = () => {
    stop()
    queries.clear()
  }
  return { ...kept, queries, failures, flip, off, [Symbol.dispose]: close }
}

test('what is switched twice is where it was switched to last', () => {
  const off = (server_id: string) => ({ server_id, on: false })
  expect(toOff(['a'], [off('b'), { server_id: 'a', on: true }, off('b')])).toEqual(['b'])
})

test('the next one goes when the one before has its answer, and builds on it', async () => {
  using opened = await open()
  const first = opened.flip({ server_id: 'a', on: false })
  const second = opened.flip({ server_id: 'b', on: false })
  await waitFor(() => opened.asked.length === 1)
  expect(opened.asked[0]?.off).toEqual(['a'])
  opened.asked[0]?.answer()
  await first
  await waitFor(() => opened.asked.length === 2)
  expect(opened.asked[1]?.off).toEqual(['a', 'b'])
  opened.asked[1]?.answer()
  await second
  expect(opened.off()).toEqual(['a', 'b'])
})

test('one that fails is told, and leaves the list as it is and nothing to the next', async () => {
  using opened = await open()
  const first = opened.flip({ server_id: 'a', on: false })
  const second = opened.flip({ server_id: 'b', on: false })
  await waitFor(() => opened.asked.length === 1)
  opened.asked[0]?.fail()
  await expect(first).rejects.toThrow('No.')
  expect(opened.failures).toHaveLength(1)
  expect(opened.off()).toEqual([])
  await waitFor(() => opened.asked.length === 2)
  expect(opened.asked[1]?.off).toEqual(['b'])
  opened.asked[1]?.answer()
  await second
})

test('the lists of chats are asked for again without it', async () => {
  using opened = await open()
  const before = opened.queries.getQueryState(sessionKey('s1'))?.dataUpdateCount
  await opened.queries.invalidateQueries({ queryKey: ['sessions'] })
  expect(opened.queries.getQueryState(sessionKey('s1'))?.dataUpdateCount).toBe(before)
})
