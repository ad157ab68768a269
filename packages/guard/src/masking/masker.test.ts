import { AppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { createMasker } from './masker.ts'

const { mask, maskText } = createMasker()

describe('by key', () => {
  test.each([
    'Authorization',
    'authorization',
    'AUTHORIZATION',
    'Proxy-Authorization',
    'cookie',
    'Set-Cookie',
    'apiKey',
    'api_key',
    'api-key',
    'X-API-Key',
    'OPENAI_API_KEY',
    'token',
    'access_token',
    'refreshToken',
    'id_token',
    'sessionToken',
    'session-token',
    'X-Auth-Token',
    'password',
    'userPassword',
    'passwd',
    'passphrase',
    'secret',
    'client_secret',
    'privateKey',
    'secret_key',
    'credentials',
    'code_verifier',
    'password_hash',
    'passwordhash',
    'master_keys',
    'private_key_pem',
    'tokens',
    'accessTokens',
    'secret_value',
    'accessTokenValue',
    'OLD_API_KEYS_JSON',
    'cookieJar',
  ])('%s is masked', (key) => {
    expect(mask({ [key]: 'plain' })).toEqual({ [key]: '***' })
  })

  test.each([
    'max_tokens',
    'total_tokens',
    'prompt_tokens',
    'completionTokens',
    'always_prompt_tokens',
    'prompt_tokens_details',
    'cache_read_input_tokens',
    'tokens_used',
    'tokens_per_second',
    'token_count',
    'token_type',
    'token_endpoint',
    'token_endpoint_auth_methods_supported',
    'token_expires_at',
    'tokenizer',
    'api_key_id',
    'password_policy',
    'key',
    'key_id',
    'session_id',
    'author',
    'authorization_endpoint',
    'secretary',
    'passenger',
  ])('%s is kept', (key) => {
    expect(mask({ [key]: 'plain' })).toEqual({ [key]: 'plain' })
  })

  test('the whole value goes, whatever its kind, but not whether there is one', () => {
    const given = {
      token: { access: 'a', nested: ['b'] },
      secret: ['x'],
      password: 123_456,
      cookie: '',
      api_key: null,
      apiKey: true,
      credentials: undefined,
    }
    const { token, secret, password, ...rest } = given
    expect(mask(given)).toEqual({ token: '***', secret: '***', password: '***', ...rest })
  })

  test('names can be added', () => {
    const own = createMasker({ keys: ['Patient-Number'] })
    expect(own.mask({ patient_number: 'p1', patientNumber: 'p2', number: 'n' })).toEqual({
      patient_number: '***',
      patientNumber: '***',
      number: 'n',
    })
  })

  test.each([
    [
      { name: 'X-Api-Key', value: 'plain' },
      { name: 'X-Api-Key', value: '***' },
    ],
    [
      { value: 'plain', key: 'x-api-key' },
      { value: '***', key: 'x-api-key' },
    ],
    [
      { Key: 'DB_PASSWORD', Value: { S: 'plain' } },
      { Key: 'DB_PASSWORD', Value: '***' },
    ],
    [new Map(Object.entries({ name: 'token', value: 'plain' })), { name: 'token', value: '***' }],
    [[['X-Api-Key', 'plain']], [['X-Api-Key', '***']]],
    [
      new Map<unknown, unknown>([
        [1, 'a'],
        ['token', 'plain'],
      ]),
      [
        [1, 'a'],
        ['token', '***'],
      ],
    ],
    [
      ['Accept', '*/*', 'X-Api-Key', 'plain', 'Host', 'a'],
      ['Accept', '*/*', 'X-Api-Key', '***', 'Host', 'a'],
    ],
    [
      ['run', '--api-key', 'plain', '--verbose'],
      ['run', '--api-key', '***', '--verbose'],
    ],
    [
      ['--api-key=pl,ai n', '--master-key=plain'],
      ['--api-key=***', '--master-key=***'],
    ],
    [new Set(['-x', '--token', 'plain']), ['-x', '--token', '***']],
  ])('a name beside its value: %j', (given, expected) => {
    expect(mask(given)).toEqual(expected)
  })

  test.each([
    [{ name: 'Ana', value: 'plain' }],
    [{ name: 'my secret plan', value: 'plain' }],
    [['host', 'token', 'user']],
    [['a token', 'plain']],
    [['--verbose', 'plain']],
  ])('a value beside no such name is kept: %j', (given) => {
    expect(mask(given)).toEqual(given)
  })

  test('Authorization, apiKey, token and sessionToken are masked wherever they occur', () => {
    const secrets = {
      Authorization: 'c4nary',
      apiKey: 'c4nary',
      token: 'c4nary',
      sessionToken: 'c4nary',
    }
    const lines = Object.entries(secrets).map(([name, value]) => `${name}: ${value}`)
    const places = [
      secrets,
      { deep: [[{ er: secrets }]] },
      new Map(Object.entries(secrets)),
      new Set([secrets]),
      { toJSON: () => secrets },
      new AppError('internal', 'failed', {
        data: secrets,
        cause: Object.assign(new Error(), secrets),
      }),
      JSON.stringify(secrets),
      JSON.stringify({ body: JSON.stringify(secrets) }),
      JSON.stringify({ body: JSON.stringify({ body: JSON.stringify(secrets, null, 2) }) }),
      new URLSearchParams(secrets).toString(),
      new URL(`https://a.example/?${new URLSearchParams(secrets)}`),
      lines.join('\r\n'),
      lines.join('; '),
      new Error(lines.join('\n')),
      Object.entries(secrets).map(([name, value]) => `--${name}=${value}`),
      Object.entries(secrets).map(([name, value]) => `${name}='${value} and more'`),
      Object.entries(secrets),
      Object.entries(secrets).flat(),
      Object.entries(secrets).flatMap(([name, value]) => [`--${name}`, value]),
      Object.entries(secrets).map(([name, value]) => `run --${name} ${value} --verbose`),
      Object.entries(secrets).map(([name, value]) => ({ name, value })),
      JSON.stringify(Object.entries(secrets)),
      JSON.stringify(Object.entries(secrets).map(([name, value]) => ({ name, value }))),
      JSON.stringify(
        JSON.stringify(Object.entries(secrets).map(([key, value]) => ({ key, value }))),
      ),
    ]
    const leaking = places.filter((place) => JSON.stringify(mask(place)).includes('c4nary'))
    expect(leaking).toEqual([])
  })
})

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

describe('a copy', () => {
  test('is what JSON can hold, and the original stays as it was', () => {
    const given = {
      date: new Date(0),
      url: new URL('https://u:p@a.example/?token=x'),
      bytes: Buffer.from('secret'),
      array: new Uint16Array(2),
      map: new Map<unknown, unknown>([[1, 'a']]),
      set: new Set(['b']),
      big: 12n,
      text: new String('t'),
      run: () => {},
      symbol: Symbol('s'),
      nothing: undefined,
      token: 'x',
    }
    const before = structuredClone({ map: given.map, set: given.set, token: given.token })
    expect(mask(given)).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      url: 'https://***@a.example/?token=***',
      bytes: '[6 bytes]',
      array: '[4 bytes]',
      map: [[1, 'a']],
      set: ['b'],
      big: '12',
      text: 't',
      run: '[function]',
      symbol: '[symbol]',
      nothing: undefined,
      token: '***',
    })
    expect(given).toMatchObject(before)
  })

  test('of an error has name, message, stack, cause and own fields', () => {
    const cause = Object.assign(new TypeError('Bearer abcdefgh'), { code: 'E1', password: 'x' })
    const error = new AppError('internal', 'at https://u:p@h/', { cause, data: { token: 'x' } })
    expect(mask(error)).toMatchObject({
      name: 'AppError',
      code: 'internal',
      message: 'at https://***@h/',
      stack: expect.stringContaining('at https://***@h/'),
      data: { token: '***' },
      cause: { name: 'TypeError', message: 'Bearer ***', code: 'E1', password: '***' },
    })
    expect(mask(new AggregateError([new Error('one')]))).toMatchObject({
      errors: [{ message: 'one' }],
    })
  })

  test('survives cycles, throwing getters, hostile toJSON and proxies', () => {
    const circle: Record<string, unknown> = { name: 'a' }
    circle.self = circle
    expect(mask(circle)).toEqual({ name: 'a', self: '[circular]' })
    const hostile = {
      get broken() {
        throw new Error('no')
      },
      json: {
        toJSON() {
          throw new Error('no')
        },
      },
      own: {
        toJSON() {
          return this
        },
      },
      proxy: new Proxy({}, { ownKeys: () => null as unknown as string[] }),
    }
    expect(mask(hostile)).toEqual({
      broken: '[unreadable]',
      json: '[unreadable]',
      own: '[circular]',
      proxy: '[unreadable]',
    })
  })

  test('shows the same object twice where it is not a cycle', () => {
    const shared = { a: 1 }
    expect(mask([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
  })

  test('does not take a key for the prototype', () => {
    const copy = mask(JSON.parse('{"__proto__":{"polluted":true}}')) as object
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}')
  })

  test('is bounded in depth, entries and text', () => {
    const small = createMasker({ limits: { depth: 2, entries: 5, text: 20 } })
    expect(small.mask({ a: { b: { c: 1 } } })).toEqual({ a: { b: '[too deep]' } })
    expect(small.mask([1, 2, 3, 4, 5, 6, 7])).toEqual([1, 2, 3, 4, 5, '[left out]'])
    expect(small.mask({ a: 1, b: 2, c: [3, 4, 5] })).toEqual({
      a: 1,
      b: 2,
      c: [3, 4, '[left out]'],
    })
    expect(small.maskText('x'.repeat(21))).toBe(`${'x'.repeat(20)}[cut, 21 characters]`)
    let deep: unknown = 'end'
    for (let i = 0; i < 100_000; i += 1) deep = [deep]
    expect(JSON.stringify(mask(deep))).toContain('[too deep]')
  })

  test('does not keep half a secret where it cuts', () => {
    const secret = 'abcdefghijklmnopqrstuvwxyz'.repeat(20)
    const small = createMasker({ limits: { text: 600 }, values: [secret] })
    for (let at = 0; at < 3_000; at += 1) {
      const words = `${'.'.repeat(at)}${secret}${'.'.repeat(3_000 - at)}`
      expect(small.maskText(words)).not.toContain('abc')
      // What is masked leaves room for what the look did not reach whole.
      const shrunk = `password=${'x'.repeat(at)} ${secret}${'.'.repeat(3_000 - at)}`
      expect(small.maskText(shrunk)).not.toContain('abc')
    }
  })

  test('of a long text keeps its beginning', () => {
    const long = createMasker().maskText('word '.repeat(100_000))
    expect(long).toBe(`${'word '.repeat(14_000).slice(0, 65_536)}[cut, 500000 characters]`)
  })
})

test('masking twice changes nothing', () => {
  const texts = [
    'Bearer abcdefgh',
    'https://u:p@h/',
    '{"token":"x"}',
    'Authorization: Basic dXNlcjpw\n',
  ]
  for (const text of texts) expect(maskText(maskText(text))).toBe(maskText(text))
})
