import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBearerChallenge } from './challenge.ts'

const url = 'https://mcp.example/.well-known/oauth-protected-resource'

describe('a challenge is read', () => {
  test.for([
    [`Bearer resource_metadata="${url}", scope="a b"`, { resourceMetadataUrl: url, scope: 'a b' }],
    [`bearer scope=a,error=insufficient_scope`, { scope: 'a', error: 'insufficient_scope' }],
    [`Bearer SCOPE = "a" , Error="x"`, { scope: 'a', error: 'x' }],
    [`Basic realm="x, Bearer scope=\\"no\\"", Bearer scope="yes"`, { scope: 'yes' }],
    [`Negotiate YWJj==, Bearer error="invalid_token"`, { error: 'invalid_token' }],
    [`Bearer, Bearer scope="second"`, { scope: 'second' }],
    [`Bearer scope="one", Bearer scope="two"`, { scope: 'one' }],
    [`Bearer scope="one", Digest scope="two", error="of digest"`, { scope: 'one' }],
    [`Bearer error="with \\"quotes\\""`, { error: 'with "quotes"' }],
    [`Bearer xscope="no", scope="yes"`, { scope: 'yes' }],
    [`Bearer scope="a  a b \u0001 é"`, { scope: 'a b' }],
    [`Bearer`, {}],
    [`Basic realm="x", scope="no"`, {}],
    [`Bearer scope="never closed`, {}],
    ['', {}],
    [undefined, {}],
  ] as const)('%s', ([header, expected]) => {
    expect(parseBearerChallenge(header)).toEqual(expected)
  })

  test('whatever it is, and in no time', () => {
    const noise = fc.array(
      fc.constantFrom('Bearer', ' ', ',', '=', '"', '\\', 'scope', 'a', 'é', '\u0000', '=='),
      { maxLength: 2_000 },
    )
    fc.assert(
      fc.property(noise, (pieces) => {
        const start = performance.now()
        const { scope = 'a' } = parseBearerChallenge(pieces.join(''))
        expect(scope).toMatch(/^[\x21-\x7e ]+$/)
        expect(performance.now() - start).toBeLessThan(1_000)
      }),
    )
  })
})
