import { expect, test } from 'vitest'
import { createOutbox } from './outbox.ts'

test('sends 16 messages at a time, each in its turn, and no more than 1,000 wait', async () => {
  const sent: number[] = []
  const taken: (() => void)[] = []
  let leftOut = 0
  const outbox = createOutbox<number>({
    send(message) {
      sent.push(message)
      return new Promise((resolve) => taken.push(resolve))
    },
    onLeftOut() {
      leftOut += 1
    },
  })
  for (let id = 0; id < 1_020; id += 1) outbox.send(id)
  expect(sent).toHaveLength(16)
  expect(leftOut).toBe(1)
  taken[0]?.()
  await new Promise(setImmediate)
  expect(sent).toEqual(Array.from({ length: 17 }, (_, id) => id))
  outbox.close()
  for (const take of taken) take()
  await new Promise(setImmediate)
  expect(sent).toHaveLength(17)
})

test('says again that messages are left out when there was room in between', async () => {
  const taken: (() => void)[] = []
  let leftOut = 0
  const outbox = createOutbox<number>({
    send: () => new Promise((resolve) => taken.push(resolve)),
    onLeftOut() {
      leftOut += 1
    },
  })
  for (let id = 0; id < 1_020; id += 1) outbox.send(id)
  taken[0]?.()
  await new Promise(setImmediate)
  for (let id = 0; id < 3; id += 1) outbox.send(id)
  expect(leftOut).toBe(2)
})
