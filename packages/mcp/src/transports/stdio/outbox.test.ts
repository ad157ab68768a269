import { Writable } from 'node:stream'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createOutbox, type Letter } from './outbox.ts'

/** A stream that takes a write only when the test says so. */
function createSlowStream() {
  const writes: string[] = []
  const finishers: ((error?: Error) => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 10,
    write(text, _, finish) {
      writes.push(String(text))
      finishers.push(finish)
    },
  })
  stream.on('error', () => {})
  const finishOne = (error?: Error) => finishers.shift()?.(error)
  return { stream, writes, finishOne }
}

function createLetter(line: string): Letter & { ends: (Error | undefined)[] } {
  const ends: (Error | undefined)[] = []
  return { line, sent: false, settle: (error) => ends.push(error), ends }
}

const nextTurn = () => new Promise(setImmediate)

test('what is added in one turn is written together, the rest when there is room', async () => {
  const { stream, writes, finishOne } = createSlowStream()
  const outbox = createOutbox(stream)
  const letters = ['a\n', 'b\n', 'c'.repeat(20)].map(createLetter)
  for (const letter of letters) outbox.add(letter)
  expect(writes).toEqual([])
  await nextTurn()
  expect(writes).toEqual([`a\nb\n${'c'.repeat(20)}`])
  const [late, never] = [createLetter('d\n'), createLetter('e\n')]
  outbox.add(late)
  outbox.add(never)
  await nextTurn()
  outbox.takeBack(never)
  expect([writes.length, late.sent]).toEqual([1, false])
  finishOne()
  await waitFor(() => writes.length === 2)
  expect([writes[1], late.sent, never.sent]).toEqual(['d\n', true, false])
  expect(letters.map(({ ends }) => ends)).toEqual([[undefined], [undefined], [undefined]])
})

test('of a write that fails the last line was not read, and of those behind it none', async () => {
  const { stream, finishOne } = createSlowStream()
  const outbox = createOutbox(stream)
  const letters = ['a\n', 'b\n'].map(createLetter)
  for (const letter of letters) outbox.add(letter)
  await nextTurn()
  const behind = createLetter('c\n')
  outbox.add(behind)
  await nextTurn()
  const error = new Error('EPIPE')
  finishOne(error)
  expect(await outbox.broken).toBe(error)
  await waitFor(() => behind.ends.length === 1)
  expect([...letters, behind].map(({ sent }) => sent)).toEqual([true, false, false])
})

test('a close writes what there is room for and settles the rest', async () => {
  const { stream, writes } = createSlowStream()
  const outbox = createOutbox(stream)
  outbox.add(createLetter('a'.repeat(20)))
  await nextTurn()
  const left = createLetter('b\n')
  outbox.add(left)
  outbox.close()
  expect([writes.length, left.sent, left.ends.length]).toEqual([1, false, 1])
})
