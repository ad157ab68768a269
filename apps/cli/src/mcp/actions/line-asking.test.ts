import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createLineAsking } from './line-asking.ts'

function asked(lines: string, signal = new AbortController().signal) {
  const input = new PassThrough() as unknown as NodeJS.ReadStream
  const output = new PassThrough() as unknown as NodeJS.WriteStream
  const asking = createLineAsking({ input, output, signal })
  input.push(lines)
  return { asking, input, shown: () => String((output as unknown as PassThrough).read() ?? '') }
}

test('a choice is a number, a question needs a yes', async () => {
  const items = [
    { value: 'a', label: 'first', about: 'the \u001b[31mfirst' },
    { value: 'b', label: 'second' },
  ]
  const two = asked('2\n')
  expect(await two.asking.choose('Which?', items)).toBe('b')
  const shown = two.shown()
  expect(shown).not.toContain('\u001b')
  expect(shown).toMatch(/^Which\?\n {2}1\. first {2}the \S*first\n {2}2\. second\n/)
  expect(await asked('7\n').asking.choose('Which?', items)).toBeUndefined()
  expect(await asked('y\n').asking.confirm('Sure?')).toBe(true)
  expect(await asked('是\n').asking.confirm('Sure?')).toBe(true)
  expect(await asked('\n').asking.confirm('Sure?')).toBe(false)
})

test('a secret is not shown', async () => {
  const { asking, shown } = asked('hush\n')
  expect(await asking.askText('Key', { isSecret: true })).toBe('hush')
  expect(shown()).toBe('Key: \n')
})

test('where the input ends, or all is stopped, nothing was said', async () => {
  const ended = asked('')
  ended.input.push(null)
  expect(await ended.asking.askText('Key')).toBeUndefined()
  const stop = new AbortController()
  const waiting = asked('', stop.signal).asking.confirm('Sure?')
  stop.abort()
  expect(await waiting).toBe(false)
})
