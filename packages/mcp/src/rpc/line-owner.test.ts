import { expect, test } from 'vitest'
import { ownerFromHead, ownerFromTail } from './line-owner.ts'

const unknown = { kind: 'unknown' }
const message = { kind: 'message' }
const answer = (id: unknown) => ({ kind: 'answer', id })

test.each([
  ['{"jsonrpc":"2.0","id":12,"result":{"content":[', answer(12)],
  ['{"id" : "a-1" , "result":', answer('a-1')],
  ['{"id":"订单","error":{"code":', answer('订单')],
  ['{"id":-3,"jsonrpc":"2.0","result":"', answer(-3)],
  ['{"jsonrpc":"2.0","result":{"id":7},"id":12,', answer(12)],
  ['{"jsonrpc":"2.0","result":{"id":7,"text":"', unknown],
  ['{"result":"{\\"id\\":7,', unknown],
  ['{"result":"id","x":[{"id":7}],"y":', unknown],
  ['{"jsonrpc":"2.0","id":12', unknown],
  ['{"jsonrpc":"2.0","id":"12', unknown],
  ['{"id":null,"error":', unknown],
  ['{"id":"a\\"b","result":', unknown],
  ['{"id":1.5,"result":', unknown],
  ['{"jsonrpc":"2.0","method":"note","params":{"id":7,', message],
  ['{"jsonrpc":"2.0","id":7,"method":"ask","params":', message],
  ['{"params":{"method":"x"},"id":7,', answer(7)],
  ['[{"id":7,"result":', unknown],
  ['xxxx', unknown],
  ['', unknown],
])('the head %s', (head, expected) => {
  expect(ownerFromHead(Buffer.from(head))).toEqual(expected)
})

test.each([
  ['xxx"}]},"jsonrpc":"2.0","id":12}', answer(12)],
  ['xxx"},"id" : "a-1" , "jsonrpc" : "2.0" } \r', answer('a-1')],
  ['xxx","id":12,"jsonrpc":"2.0"}', answer(12)],
  ['xxx","meta":{"id":7}}', unknown],
  ['xxx \\"id\\":7}"}', unknown],
  ['xxx","id":7}]', unknown],
  ['xxx","id":7,"other":1}', unknown],
  ['xxxx', unknown],
])('the tail %s', (tail, expected) => {
  expect(ownerFromTail(Buffer.from(tail))).toEqual(expected)
})

test('an end made to be slow to look at is not', () => {
  const tails = [',"id":"'.repeat(74), `,"id":"${'\\\\'.repeat(250)}`, ',"id": '.padEnd(512)]
  const begun = performance.now()
  for (const tail of tails) {
    expect(ownerFromTail(Buffer.from(tail))).toEqual(unknown)
    ownerFromHead(Buffer.from(`{${tail}`))
  }
  expect(performance.now() - begun).toBeLessThan(500)
})
