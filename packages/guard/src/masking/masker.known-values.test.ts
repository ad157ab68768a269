import { describe, expect, test } from 'vitest'
import { createMasker } from './masker.ts'

describe('by known value', () => {
  const secret = 'pa$$ "w0rd"/é+ü'
  const { mask, maskText } = createMasker({ values: [secret] })

  test.each([
    ['as it is', secret],
    ['within a text', `before${secret}after`],
    ['JSON', JSON.stringify(secret)],
    ['JSON in JSON', JSON.stringify({ a: JSON.stringify([secret]) })],
    ['JSON in ASCII', '"pa$$ \\"w0rd\\"/\\u00e9+\\u00fc"'],
    ['a URL component', encodeURIComponent(secret)],
    [
      'a URL component in lower case',
      encodeURIComponent(secret).replace(/%../g, (x) => x.toLowerCase()),
    ],
    ['a form', new URLSearchParams({ q: secret }).toString()],
    ['JSON in JSON in JSON', JSON.stringify(JSON.stringify(JSON.stringify(secret)))],
    ['JSON with escaped slashes', JSON.stringify(secret).replaceAll('/', '\\/')],
    ['a URL component in a URL component', encodeURIComponent(encodeURIComponent(secret))],
    ['a form in a URL', encodeURIComponent(new URLSearchParams({ q: secret }).toString())],
    ['HTML', 'pa$$ &quot;w0rd&quot;/é+ü'],
    ['a URL path', new URL(`https://a.example/${encodeURI(secret)}/x`).href],
  ])('%s', (_, text) => {
    const masked = maskText(text)
    expect(masked).toContain('***')
    expect(masked).not.toContain('w0rd')
  })

  test.each(['hex', 'HEX'])('%s', (spelling) => {
    const hex = Buffer.from(`before ${secret} after`).toString('hex')
    const masked = maskText(spelling === 'hex' ? hex : hex.toUpperCase())
    expect(Buffer.from(masked.replace('***', '2a'), 'hex').toString()).toBe('before * after')
  })

  test.each(['', 'x', 'xy', 'user:', 'a longer beginning '])('base64 after %j', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}${secret} and an end`).toString(encoding)
      const masked = maskText(`{ "blob": "${encoded}" }`)
      expect(masked).toContain('***')
      const left = masked
        .match(/[\w+/-]{4,}/g)
        ?.map((part) => Buffer.from(part, 'base64').toString())
      expect(left?.join()).not.toContain('w0rd')
    }
  })

  test('as a key, a number, a list item and in an error', () => {
    const { mask } = createMasker({ values: ['98765432', 'the-secret-value'] })
    const error = new Error('the-secret-value', { cause: 'the-secret-value' })
    const text = JSON.stringify(
      mask({ 'the-secret-value': 1, n: 98765432, l: ['the-secret-value'], b: 98765432n, error }),
    )
    expect(text).not.toMatch(/the-secret-value|98765432/)
  })

  test('can come and go at run time; what was added twice goes with the second removal', () => {
    const masker = createMasker()
    const text = 'key: s3cr3t-value'.slice(5)
    expect(masker.mask({ [text]: text })).toEqual({ [text]: text })
    masker.addValue(text)
    masker.addValue(text)
    expect(masker.mask({ [text]: text })).toEqual({ '***': '***' })
    masker.removeValue(text)
    expect(masker.maskText(`a ${text}`)).toBe('a ***')
    masker.removeValue(text)
    masker.removeValue(text)
    expect(masker.mask({ [text]: text })).toEqual({ [text]: text })
  })

  test('a secret that begins another, and secrets that overlap, leave nothing behind', () => {
    const { maskText, removeValue } = createMasker({
      values: ['abcdefgh', 'abcdefghijkl', 'klmnopqr'],
    })
    expect(maskText('<abcdefghijklmnopqr>')).toBe('<***>')
    expect(maskText('<abcdefghi>')).toBe('<***i>')
    removeValue('abcdefgh')
    expect(maskText('<abcdefghi>')).toBe('<abcdefghi>')
    expect(maskText('<abcdefghijkl>')).toBe('<***>')
  })

  test('a secret that is a form of another stays when the other goes', () => {
    const { maskText, removeValue } = createMasker({ values: ['a b c d e', 'a%20b%20c%20d%20e'] })
    removeValue('a b c d e')
    expect(maskText('a b c d e, a%20b%20c%20d%20e')).toBe('a b c d e, ***')
  })

  test('a value of six characters is found at the beginning and at the end', () => {
    const { maskText } = createMasker({ values: ['abcdef'] })
    expect(maskText('abcdef, abcdef')).toBe('***, ***')
    expect(maskText('abcdef')).toBe('***')
  })

  test('a value under six characters is not looked for', () => {
    expect(createMasker({ values: ['abcde', ''] }).maskText('abcdef')).toBe('abcdef')
  })

  test('one among a thousand is found', () => {
    const values = Array.from({ length: 1_000 }, (_, i) => `secret-number-${i}-${i * 7919}`)
    const { maskText } = createMasker({ values })
    expect(values.map((value) => maskText(`a ${value}.`))).toEqual(values.map(() => 'a ***.'))
    expect(maskText('secret-number-1000-1')).toBe('secret-number-1000-1')
  })

  test('keeps what is next to it', () => {
    expect(mask(['a', `${secret}`, { b: `<${secret}>` }])).toEqual(['a', '***', { b: '<***>' }])
  })
})
