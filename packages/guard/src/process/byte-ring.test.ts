import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteRing } from './byte-ring.ts'

test('keeps exactly the end of what was pushed, however it was cut', () => {
  const chunks = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), { maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), chunks, (size, texts) => {
      const ring = createByteRing(size)
      for (const text of texts) ring.push(Buffer.from(text))
      expect(ring.text()).toBe(texts.join('').slice(-size))
    }),
  )
})

test('a character cut in half at the start is left out', () => {
  const ring = createByteRing(5)
  ring.push(Buffer.from('数据'))
  expect(ring.text()).toBe('据')
})

test('a ring of no size keeps nothing', () => {
  const ring = createByteRing(0)
  ring.push(Buffer.from('text'))
  expect(ring.text()).toBe('')
})
