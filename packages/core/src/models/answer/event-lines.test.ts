import { expect, test } from 'vitest'
import { EventLines } from './event-lines.ts'

const read = (...pieces: (string | Buffer)[]) => readAll(pieces)

function readAll(pieces: readonly (string | Buffer)[]): string[] {
  const found: string[] = []
  const lines = new EventLines((data) => found.push(data))
  for (const piece of pieces) lines.push(Buffer.from(piece as string))
  lines.end()
  return found
}

test('data of several lines is one', () => {
  expect(read('data: {\ndata: "a": 1\ndata: }\n\ndata: {}\n\n')).toEqual(['{\n"a": 1\n}', '{}'])
})

test('one space behind the colon is not data', () => {
  expect(read('data:  x\n\ndata:y\n\ndata:\n\ndata: \n\n')).toEqual([' x', 'y', '', ''])
})

test('comments, other fields and junk are passed over; bare JSON is not', () => {
  const stream = ': hi\nevent: a\nid: 1\nretry: 5\ndatax: no\njunk\n\n{"error":"x"}\n\n'
  expect(read(stream)).toEqual(['{"error":"x"}'])
})

test('characters that are split over pieces are whole', () => {
  const bytes = Buffer.from('data: 你好🍻\r\n\r\n')
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['你好🍻'])
  }
})

test('a line of more than 4 MiB fails', () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  expect(read('data: ', mebibyte, mebibyte, '\n\n')[0]).toHaveLength(2 * 1024 * 1024)
  expect(() => read('data: ', ...Array(5).fill(mebibyte))).toThrow(/line of more than/)
  expect(() => read(...Array(5).fill(`data: ${mebibyte}\n`))).toThrow(/line of more than/)
})

test('a long line in small pieces takes linear time', () => {
  const began = performance.now()
  const pieces = Array.from({ length: 200_000 }, () => Buffer.from('0123456789'))
  expect(readAll(['data: ', ...pieces, '\n\n'])[0]).toHaveLength(2_000_000)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('an event of very many lines takes linear time', () => {
  const began = performance.now()
  const [data] = read('data: a\n'.repeat(400_000))
  expect(data).toHaveLength(799_999)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('an event of more than 4 MiB in short lines fails', () => {
  expect(() => read('data: a\n'.repeat(2_100_000))).toThrow(/more than/)
})
