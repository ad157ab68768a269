import { expect, test } from 'vitest'
import type { JsonRpcResponse } from '../rpc/messages.ts'
import { createAnswerOutbox } from './answer-outbox.ts'

test('sends 16 answers at a time, each in its turn, and no more than 1,000 wait', async () => {
  const taken: (() => void)[] = []
  const sent: unknown[] = []
  const warnings: string[] = []
  const outbox = createAnswerOutbox({
    peer: { send: (message) => receive(message as JsonRpcResponse) },
    onWarning: (text) => warnings.push(text),
  })

  function receive({ id }: JsonRpcResponse): Promise<void> {
    sent.push(id)
    return new Promise((resolve) => taken.push(resolve))
  }

  for (let id = 0; id < 1_020; id += 1) outbox.send(toAnswer(id))
  expect(sent).toHaveLength(16)
  expect(warnings).toHaveLength(1)
  taken[0]?.()
  await new Promise(setImmediate)
  expect(sent).toEqual(Array.from({ length: 17 }, (_, id) => id))
  outbox.close()
  for (const take of taken) take()
  await new Promise(setImmediate)
  expect(sent).toHaveLength(17)
})

test('an answer that cannot be sent is told and does not hold up the next', async () => {
  const warnings: string[] = []
  const sent: unknown[] = []
  const peer = {
    async send(message: object) {
      sent.push(message)
      throw new Error('gone')
    },
  }
  const outbox = createAnswerOutbox({ peer, onWarning: (text) => warnings.push(text) })
  for (let id = 0; id < 20; id += 1) outbox.send(toAnswer(id))
  await new Promise(setImmediate)
  expect(sent).toHaveLength(20)
  expect(new Set(warnings)).toEqual(new Set(['a request of the server could not be answered']))
})

function toAnswer(id: number): JsonRpcResponse {
  return { jsonrpc: '2.0', id, result: {} }
}
