import { describe, expect, test } from 'vitest'
import { createMasker } from './masker.ts'

const { maskText } = createMasker()

describe('by pattern', () => {
  test.each([
    ['Bearer abc.def-123', 'Bearer ***'],
    ['got "bearer   abcdefgh" instead', 'got "bearer   ***" instead'],
    ['Basic dXNlcjpwYXNz', 'Basic ***'],
    ['key da_0123456789ab_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopq_abc123 used', 'key *** used'],
    ['sk-proj-abcdefghijklmnop', '***'],
    ['(ghp_abcdefghijklmnopqrst)', '(***)'],
    ['postgres://root:hunter2@db:5432/x', 'postgres://***@db:5432/x'],
    ['https://user@host/', 'https://***@host/'],
    ['redis://:p@ss:w@rd@host', 'redis://***@host'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '***'],
    ['a -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- b', 'a *** b'],
    ['-----BEGIN RSA PRIVATE KEY-----\\nMIIE', '***'],
    ['?token=abc&page=2', '?token=***&page=2'],
    ['{"password": "a\\"b", "x": 1}', '{"password": "***", "x": 1}'],
    ["password='with spaces' x", "password='***' x"],
    ['Set-Cookie: sid=1; Path=/\nHost: a', 'Set-Cookie: ***\nHost: a'],
    ['authorization: Digest username="u", response="abc"', 'authorization: ***'],
    ['Cookie: sid="s3cr3t"; other=abc123\nHost: a', 'Cookie: ***\nHost: a'],
    ['> Cookie: "s3cr3t"; other=it\'s', '> Cookie: ***'],
    ['sent Cookie: sid="s3cr3t"; other=abc123', 'sent Cookie: ***'],
    ['{"log":"Cookie: sid=\\"s3cr3t\\"; b=a\\/b","x":1}', '{"log":"Cookie: ***","x":1}'],
    ['{"log":"Authorization: Basic dXNlcg==","x":1}', '{"log":"Authorization: ***","x":1}'],
    ['{"log":"Cookie: a=b\\nHost: a"}', '{"log":"Cookie: ***\\nHost: a"}'],
    ['--password "with spaces" -v', '--password *** -v'],
    ['["run --client-secret=a,b;c","-v"]', '["run --client-secret=***","-v"]'],
    ['{"password_hash":"abc","n":1}', '{"password_hash":"***","n":1}'],
    ['["X-Api-Key", "abc", "Host"]', '["X-Api-Key", "***", "Host"]'],
  ])('%j becomes %j', (text, expected) => {
    expect(maskText(text)).toBe(expected)
  })

  test.each([
    'the basic principles of authentication',
    'Invalid token, "abc" was not expected',
    'use --verbose "always"',
    'max_tokens=5, total_tokens: 9',
    'task-something-with-a-long-name',
    'Bearer realm="mcp"',
    'see https://a.example/@user/page',
    'mail someone@a.example',
    '-----BEGIN CERTIFICATE-----',
    '{"token":null,"secret":true}',
    'a/b/c?page=2&sort=name',
  ])('%j stays', (text) => {
    expect(maskText(text)).toBe(text)
  })

  test.each([
    '-eyJ',
    'token',
    'token:"',
    "token:'",
    'token:\\"',
    'token\\',
    'token ',
    'cookie\\\\ ',
    'cookie:="\\',
    'cookie:=\\"a',
    'token",',
    '--token ',
    '--token "',
    '--a',
    '://',
    '://a',
    '"',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
    'basic a',
    'a',
    'sk-',
    '\\',
  ])('time grows with the length only: %j repeated', (piece) => {
    const started = performance.now()
    maskText(piece.repeat(65_536 / piece.length))
    expect(performance.now() - started).toBeLessThan(2_500)
  })
})
