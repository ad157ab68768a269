import { describe, expect, test } from 'vitest'
import { ask, failureOf, startOAuthWorld } from '../test-oauth.ts'
import { createUrlRules } from './safe-url.ts'

const far = createUrlRules(new URL('https://mcp.example/mcp'))
const near = createUrlRules(new URL('http://127.0.0.1:3000/mcp'))

const good = [
  'https://auth.example',
  'https://auth.example/realms/a/protocol/openid-connect/auth',
  'https://auth.example:8443/authorize?tenant=1&p=B2C_1_signin',
  'https://[2001:db8::1]/authorize',
  'HTTPS://AUTH.EXAMPLE/authorize',
]
const local = [
  'http://localhost:9000/token',
  'http://127.0.0.1/token',
  'http://127.1/token',
  'http://[::1]:1/token',
  'http://auth.localhost/token',
  'https://localhost/token',
]
const bad = [
  '',
  'auth.example',
  '//auth.example/authorize',
  'http://auth.example/authorize',
  'http://10.0.0.1/authorize',
  'http://localhost.example/authorize',
  'http://127.0.0.1.example/authorize',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'ms-msdt:/id',
  'https:auth.example',
  'https://user@auth.example/',
  'https://user:word@auth.example/',
  'https://auth.example/#fragment',
  'https://auth.example/a b',
  'https://auth.example/\u0000',
  'https://auth.example/\r\nx: y',
  'https://auth.example/\ttab',
  'https://auth.example/\u202egnp',
  'https://аuth.example/',
  'https://auth.example/$(calc.exe)',
  'https://auth.example/?x=$(touch%20/tmp/x)',
  'https://auth.example/`id`',
  "https://auth.example/';id;'",
  'https://auth.example/"&calc&"',
  'https://auth.example/a|b',
  'https://auth.example/a\\b',
  'https://auth.example\\@evil.example/',
  'https://auth.example/<x>',
  'https://auth.example/^{x}',
  `https://auth.example/${'a'.repeat(3_000)}`,
]

describe('addresses that a server names', () => {
  test.for(good)('%s may be used', (address) => {
    expect(far.allows(address)).toBe(true)
    expect(near.allows(address)).toBe(true)
  })

  test.for(local)('%s may be named by a server on this machine only', (address) => {
    expect(near.allows(address)).toBe(true)
    expect(far.allows(address)).toBe(false)
  })

  test.for(bad)('%j may not be used', (address) => {
    expect(near.allows(address)).toBe(false)
    expect(far.allows(address)).toBe(false)
  })

  test.for([undefined, null, 1, {}, ['https://auth.example']])('%j is no address', (address) => {
    expect(far.allows(address)).toBe(false)
  })
})

describe('a hostile authorization server', () => {
  const endpoints = [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
  ]
  const cases = endpoints.flatMap((name) => bad.slice(1).map((address) => ({ name, address })))

  test.for(cases)(
    'with $name $address is not used, and nobody is sent there [T18]',
    async (given) => {
      const metadata = { [given.name]: given.address }
      await using world = await startOAuthWorld({ authorization: { metadata } })
      const error = await failureOf(ask(world, world.createAuthorizer()))
      expect(error).toMatchObject({ kind: 'protocol', retryable: false })
      expect(JSON.stringify([error, error.message])).not.toContain(given.address)
      expect(world.authorization.requests).toHaveLength(1)
    },
  )

  test.for(bad.slice(1))('%j is not asked what it is', async (issuer) => {
    await using world = await startOAuthWorld({ resource: { issuers: () => [issuer] } })
    const error = await failureOf(ask(world, world.createAuthorizer()))
    expect(error.message).toBe('mcp: the authorization server is no https address that may be used')
  })
})
