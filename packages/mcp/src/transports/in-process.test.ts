import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import type { JsonRpcMessage, JsonRpcRequest, RequestId } from '../rpc/messages.ts'
import { createInProcessTransport, type InProcessHandler } from './in-process.ts'

const request: JsonRpcRequest = { jsonrpc: '2.0', id: 1, method: 'any' }
const answer = { jsonrpc: '2.0', id: 1, result: 'here' } as const

async function open(handler: InProcessHandler) {
  const messages: JsonRpcMessage[] = []
  const transport = createInProcessTransport(handler)
  const onMessage = (message: JsonRpcMessage) => messages.push(message)
  const late: RequestId[] = []
  const onLateAnswer = (id: RequestId) => late.push(id)
  await transport.start({ onMessage, onClose() {}, onWarning() {}, onLateAnswer })
  return { transport, messages, late }
}

test('gives what the handler answers, as an object or as text, now or later', async () => {
  for (const handler of [() => answer, () => JSON.stringify(answer), async () => answer]) {
    const { transport } = await open(handler)
    expect(await transport.call(request)).toEqual(answer)
  }
})

test('refuses at once a call that is already cancelled: the handler does not hear of it', async () => {
  let heard = 0
  const { transport } = await open(() => {
    heard += 1
    return answer
  })
  const options = { signal: AbortSignal.abort() }
  const refusal = { kind: 'cancelled', mayHaveRun: false }
  await expect(transport.call(request, options)).rejects.toMatchObject(refusal)
  const note = { jsonrpc: '2.0', method: 'note' } as const
  await expect(transport.send(note, options)).rejects.toMatchObject(refusal)
  expect(heard).toBe(0)
})

test('a cancel ends the call at once, tells the handler, and leaves no listener', async () => {
  const signals: AbortSignal[] = []
  const { transport } = await open((_, { signal }) => {
    signals.push(signal)
    return new Promise(() => {})
  })
  const aborter = new AbortController()
  const calls = Array.from({ length: 1000 }, () =>
    transport.call(request, { signal: aborter.signal }).catch((error: unknown) => error),
  )
  aborter.abort()
  for (const failure of await Promise.all(calls))
    expect(failure).toMatchObject({ kind: 'cancelled', mayHaveRun: true })
  expect(signals.filter(({ aborted }) => aborted)).toHaveLength(1000)
  expect(getEventListeners(aborter.signal, 'abort')).toEqual([])
})

test.each(['resolve', 'reject'] as const)(
  'a call that was cancelled is over with %s',
  async (how) => {
    const work = Promise.withResolvers<unknown>()
    const { transport, late } = await open(() => work.promise)
    const aborter = new AbortController()
    const call = transport.call(request, { signal: aborter.signal })
    aborter.abort()
    await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
    expect(late).toEqual([])
    work[how](answer)
    await expect.poll(() => late).toEqual([1])
  },
)

test('a close ends what is under way and refuses what comes later', async () => {
  const { transport, messages } = await open((_, { signal, send }) => {
    signal.addEventListener('abort', () => send({ jsonrpc: '2.0', method: 'too late' }))
    return new Promise(() => {})
  })
  const call = transport.call(request).catch((error: unknown) => error)
  await transport.close()
  expect(await call).toMatchObject({ kind: 'closed', mayHaveRun: true })
  await expect(transport.call(request)).rejects.toMatchObject({ kind: 'closed', mayHaveRun: false })
  expect(messages).toEqual([])
  await transport.close()
})

test('the handler may send notifications and requests, nothing else', async () => {
  const note = { jsonrpc: '2.0', method: 'note' } as const
  const { transport, messages } = await open((_, { send }) => {
    for (const message of [note, request, answer, { hello: 1 } as never]) send(message)
    return answer
  })
  await transport.call(request)
  expect(messages).toEqual([note, request])
})

test('what the handler throws is what the call fails with, even when the call was ended before', async () => {
  const aborter = new AbortController()
  const { transport } = await open(() => {
    aborter.abort()
    throw new Error('out of order')
  })
  const call = transport.call(request, { signal: aborter.signal })
  await expect(call).rejects.toThrow('out of order')
})

test.each([
  ['nothing', undefined],
  ['another id', { ...answer, id: 2 }],
  ['the id as text', { ...answer, id: '1' }],
  ['a request', request],
  ['no JSON', 'hello'],
])('an answer that is %s is a protocol error', async (_, given) => {
  const { transport } = await open(() => given)
  await expect(transport.call(request)).rejects.toMatchObject({ kind: 'protocol' })
})
