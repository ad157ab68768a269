import { AppError } from '@dataagent/schema/base'
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

  test('Authorization, apiKey, token and sessionToken are masked wherever they occur [E6.2]', () => {
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

test('masking twice changes nothing', () => {
  const texts = [
    'Bearer abcdefgh',
    'https://u:p@h/',
    '{"token":"x"}',
    'Authorization: Basic dXNlcjpw\n',
  ]
  for (const text of texts) expect(maskText(maskText(text))).toBe(maskText(text))
})
