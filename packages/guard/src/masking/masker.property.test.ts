import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMasker } from './masker.ts'

const canary = 'c4nary/Qz"7+é9'
const masker = createMasker({ values: [canary] })
const numRuns = longCount(500, 10_000)

/** Texts that hold the canary in one of the encodings it could be met in. */
const canaryText = fc
  .tuple(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), fc.nat({ max: 10 }))
  .map(([before, after, encoding]) => {
    const text = `${before}${canary}${after}`
    return [
      () => text,
      () => JSON.stringify(text),
      () => JSON.stringify([JSON.stringify(text)]),
      () => encodeURIComponent(text.toWellFormed()),
      () => new URLSearchParams({ q: text }).toString(),
      () => Buffer.from(text).toString('base64'),
      () => Buffer.from(text).toString('base64url'),
      () => Buffer.from(text).toString('hex'),
      () => encodeURIComponent(encodeURIComponent(text.toWellFormed())),
      () => JSON.stringify(JSON.stringify(JSON.stringify(text))),
      () => JSON.stringify(text).replaceAll('/', '\\/'),
    ][encoding]!()
  })

/** Any structure a log line could be given, with canaries at some leaves and keys. */
const { tree } = fc.letrec<{ tree: unknown; leaf: unknown; key: string }>((tie) => ({
  leaf: fc.oneof(
    { weight: 3, arbitrary: canaryText },
    fc.anything({ withDate: true, withTypedArray: true, withBigInt: true, withMap: true }),
    canaryText.map((text) => Buffer.from(text)),
    canaryText.map((text) => new String(text)),
  ),
  key: fc.oneof(fc.string(), canaryText, fc.constantFrom('token', 'a', '__proto__', 'toString')),
  tree: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'tree' },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(tie('key'), tie('tree'), { maxKeys: 4 }),
    fc.array(fc.tuple(tie('key'), tie('tree')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    fc.array(tie('tree'), { maxLength: 3 }).map((items) => new Set(items)),
    fc
      .tuple(canaryText, tie('tree'), tie('tree'))
      .map(([text, cause, data]) => Object.assign(new Error(text, { cause }), { data })),
    tie('tree').map((value) => ({ toJSON: () => value })),
  ),
}))

test('a planted canary never survives, whatever holds it and however it is encoded', () => {
  fc.assert(
    fc.property(tree, (value) => {
      expect(findCanary(JSON.stringify(masker.mask(value)) ?? '')).toBeUndefined()
    }),
    { numRuns },
  )
})

test('a canary in a text never survives', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(canaryText, fc.string())), (parts) => {
      expect(findCanary(masker.maskText(parts.join(' ')))).toBeUndefined()
    }),
    { numRuns },
  )
})

test('a text without secrets stays as it is', () => {
  const words = fc.array(fc.stringMatching(/^[a-z ]{0,20}$/), { maxLength: 10 })
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join(' ').replace(/bearer|basic/g, '')
      expect(masker.maskText(text)).toBe(text)
    }),
    { numRuns },
  )
})

test('any value can be masked, and comes out as JSON', () => {
  fc.assert(
    fc.property(
      fc.anything({ withNullPrototype: true, withObjectString: true, withSparseArray: true }),
      (value) => {
        expect(() => JSON.stringify(masker.mask(value))).not.toThrow()
      },
    ),
    { numRuns },
  )
})

test('the finder finds what was not masked', () => {
  fc.assert(
    fc.property(canaryText, (text) => {
      expect(findCanary(JSON.stringify({ text }))).toBeDefined()
    }),
  )
})

/** Undoes each encoding over the whole text, and looks for the middle of the canary. */
function findCanary(text: string): string | undefined {
  const decoded = [
    text,
    text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ...(text.match(/[\w+/-]{6,}/g) ?? []).flatMap(decodeAtEachPlace),
    ...(text.match(/[0-9a-f]{12,}/g) ?? []).flatMap(decodeHex),
  ]
  return decoded.find((one) => /c4nary|4nary\/Q/.test(one))
}

function decodeHex(part: string): string[] {
  return [0, 1].map((skip) => Buffer.from(part.slice(skip), 'hex').toString('latin1'))
}

function decodeAtEachPlace(part: string): string[] {
  return [0, 1, 2, 3].map((skip) => Buffer.from(part.slice(skip), 'base64').toString('latin1'))
}
