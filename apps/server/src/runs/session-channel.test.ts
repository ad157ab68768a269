import { createOutage } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type ChannelMessage, createSessionChannels } from './session-channel.ts'

/** Channels of two processes; the first cannot subscribe while its KV is away. */
function setUp() {
  const clock = createFakeClock()
  const kv = createMemoryKv()
  const lines: string[] = []
  const onLog = ({ message }: { message: string }) => void lines.push(message)
  const outage = createOutage({ away: 'away', back: 'back', clock, onLog })
  const state = { isAway: true, tries: 0 }
  const subscribe: typeof kv.subscribe = async (...given) => {
    state.tries += 1
    if (state.isAway) throw new AppError('store_unavailable', 'The KV is away.')
    return kv.subscribe(...given)
  }
  const publish = kv.publish.bind(kv)
  const one = createSessionChannels({ kv: { publish, subscribe }, owner: 'one', clock, outage })
  const other = createSessionChannels({ kv, owner: 'other', clock, outage })
  return { clock, kv, one, other, state, lines }
}

test('who could not be subscribed is tried again, and told of the gap', async () => {
  const { clock, kv, one, other, state, lines } = setUp()
  await using _kv = kv
  const heard: ChannelMessage[] = []
  let gaps = 0
  const onMessage = (message: ChannelMessage) => void heard.push(message)
  const onGap = () => {
    gaps += 1
  }
  const leave = one.listen('s1', { onMessage, onGap })
  for (let second = 0; second < 60; second += 1) await clock.advance(1_000)
  expect(state.tries).toBeGreaterThan(5)
  expect(state.tries).toBeLessThan(30)
  expect([gaps, lines]).toEqual([0, ['away']])
  state.isAway = false
  await clock.advance(10_000)
  await waitFor(() => gaps === 1)
  other.say('s1', { kind: 'cancel' })
  await waitFor(() => heard.length === 1)
  leave()
  const { tries } = state
  await clock.advance(60_000)
  expect(state.tries).toBe(tries)
})

test('who has left is not subscribed any more', async () => {
  const { clock, kv, one, state } = setUp()
  await using _kv = kv
  const leave = one.listen('s1', { onMessage() {}, onGap: () => expect.unreachable() })
  await clock.advance(1_000)
  leave()
  const { tries } = state
  state.isAway = false
  await clock.advance(60_000)
  expect(state.tries).toBe(tries)
})
