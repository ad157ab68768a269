import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Sorted } from '../../rpc/messages.ts'
import { MessageStream } from './message-stream.ts'

/** Feeds a stream as the egress does: nothing comes while it is held back. */
function createFeed() {
  const heard: string[] = []
  let isPaused = false
  let pauses = 0
  const stream = new MessageStream({
    maxMessageBytes: 1024 * 1024,
    flow: {
      pause() {
        isPaused = true
        pauses += 1
      },
      resume() {
        isPaused = false
      },
    },
    taker: {
      message: (sorted) => heard.push(toMethod(sorted)),
      unreadable: () => heard.push('unreadable'),
      ended: (error) => heard.push(error === undefined ? 'end' : 'error'),
    },
  })
  async function push(text: string): Promise<void> {
    await waitFor(() => !isPaused, { intervalMs: 0 })
    stream.push(Buffer.from(text))
  }
  return { stream, heard, push, pauses: () => pauses }
}

test('events that come in great number are taken in turns, in order, and the end comes last', async () => {
  const { stream, heard, push, pauses } = createFeed()
  const events = Array.from({ length: 20_000 }, (_, n) => toEvent(`m${n}`))
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  for (let at = 0; at < events.length; at += 1_000) {
    await push(events.slice(at, at + 1_000).join(''))
  }
  stream.end()
  await waitFor(() => heard.at(-1) === 'end')
  clearInterval(timer)
  expect(heard.slice(0, -1)).toEqual(events.map((_, n) => `m${n}`))
  expect(pauses()).toBeGreaterThan(1)
  expect(turns).toBeGreaterThan(1)
})

test('a few events are heard before the push is over', async () => {
  const { heard, push, pauses } = createFeed()
  await push([toEvent('a'), toEvent('b'), 'data: junk\n\n'].join(''))
  expect(heard).toEqual(['a', 'b', 'unreadable'])
  expect(pauses()).toBe(0)
})

test('the messages of a batch are heard before what comes behind it', async () => {
  const { heard, push } = createFeed()
  await push(`data: [${toJson('a')},${toJson('b')}]\n\n${toEvent('c')}`)
  await waitFor(() => heard.length === 3)
  expect(heard).toEqual(['a', 'b', 'c'])
})

test('nothing is heard once it is stopped, though events wait', async () => {
  const { stream, heard } = createFeed()
  stream.push(Buffer.from(`data: [${toJson('a')},${toJson('b')}]\n\n${toEvent('c')}`))
  stream.stop()
  await new Promise(setImmediate)
  expect(heard).toEqual([])
})

function toMethod(sorted: Sorted): string {
  return sorted.kind === 'notification' ? sorted.message.method : sorted.kind
}

function toJson(method: string): string {
  return JSON.stringify({ jsonrpc: '2.0', method })
}

function toEvent(method: string): string {
  return `data: ${toJson(method)}\n\n`
}
