import type { ServerQuestions } from '@dataagent/mcp'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createAsking } from './asking.ts'
import type { CallRequest, Downward, Upward } from './messages.ts'
import { createServing } from './serving.ts'

/** Two processes whose messages arrive at once. */
function connect(questions: ServerQuestions) {
  const clock = createFakeClock()
  const heard: Upward[] = []
  const cut = { isCut: false }
  const serving = createServing({
    clock,
    answer: async (_, message: Downward) => asking.answered(message),
  })
  const asking = createAsking({
    owner: 'asker',
    clock,
    async send(_, message) {
      heard.push(message)
      if (!cut.isCut) serving.asked(message)
    },
  })
  serving.serve('p', {
    fence: 1,
    describe: () => ({ state: { status: 'ready' }, stateless: false, seq: 1, tools: [] }),
    async call(_tool, _args, options) {
      const { questions: theirs, signal = new AbortController().signal } = options
      const asked = await theirs?.elicit?.({ message: 'Sure?' } as never, { signal, key: 'k' })
      return { content: [{ type: 'text', text: JSON.stringify(asked) }] }
    },
    ask: async () => ({}),
    wish: async () => [],
    async refresh() {},
    async reconnect() {},
    keep() {},
  })
  const request = {
    ...({ kind: 'call', pool: 'p', fence: 1, tool: 't', args: {}, timeoutMs: 1_000 } as const),
    ...{ wantsProgress: false, asks: ['elicit'] as CallRequest['asks'] },
  }
  const call = (signal?: AbortSignal) =>
    asking.ask(request, { to: 'holder', timeoutMs: 1_000, questions, signal })
  return { clock, heard, cut, call }
}

const accept = { action: 'accept' as const, content: { yes: true } }

test('the time that a person takes is not that of the call, however long', async () => {
  const answer = Promise.withResolvers<typeof accept>()
  const keys: unknown[] = []
  const { clock, call } = connect({
    elicit(_, { key }) {
      keys.push(key)
      return answer.promise
    },
  })
  const called = call()
  await waitFor(() => keys.length === 1)
  await clock.advanceAsync(600_000)
  answer.resolve(accept)
  expect(await called).toEqual({ content: [{ type: 'text', text: JSON.stringify(accept) }] })
  expect(keys).toEqual(['k'])
})

test('a process that is silent is not waited for: the server is refused', async () => {
  const { clock, call, cut, heard } = connect({ elicit: () => new Promise(() => undefined) })
  const called = call().catch((error: unknown) => error)
  await waitFor(() => heard.length === 1)
  cut.isCut = true
  await clock.advanceAsync(25_000)
  expect(await called).toMatchObject({ code: 'internal' })
})

test('a question ends with its call', async () => {
  const signals: AbortSignal[] = []
  const { call } = connect({
    elicit: (_, { signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    },
  })
  const stop = new AbortController()
  const called = call(stop.signal).catch((error: unknown) => error)
  const signal = await waitFor(() => signals[0])
  stop.abort()
  expect(await called).toMatchObject({ kind: 'cancelled' })
  expect(signal.aborted).toBe(true)
})
