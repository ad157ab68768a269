import { expect, test } from 'vitest'
import { findSecrets, isPlaceholder } from './find-secrets.ts'

const env = (name: string, value: string) => findSecrets({ env: { [name]: value } })[0]?.kind

test.each([
  ['OPENAI_API_KEY', 'sk-proj-abc'],
  ['DB_PASSWORD', 'hunter2'],
  ['GITHUB_TOKEN', 'x1'],
  ['DATABASE_URL', 'postgres://db/x'],
  ['TARGET', 'postgres://ana:hunter2@db/x'],
  ['VALUE', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['VALUE', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'],
  ['VALUE', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
  ['VALUE', 'AKIAIOSFODNN7EXAMPLE'],
])('%s=%s is a secret', (name, value) => {
  expect(env(name, value)).toBe('given')
})

test.each([
  ['LOG_LEVEL', 'debug'],
  ['PORT', '8080'],
  ['MAX_TOKENS', '4096'],
  ['PATH_TO', '/home/ana/projects/2024/reports'],
  ['MONKEY', 'banana'],
  ['MODEL', 'claude-sonnet-4-5-20250929'],
])('%s=%s is none', (name, value) => {
  expect(env(name, value)).toBeUndefined()
})

test.each([
  ...['<your-token>', `\${VAR}`, 'YOUR_API_KEY', `\${input:x}`, 'your-api-key-here', 'xxxx', '***'],
  ...['Bearer <token>', `Bearer \${TOKEN}`, '$TOKEN', '%TOKEN%', 'sk-...', 'ghp_xxxxxxxx', '…'],
  ...['changeme', 'REPLACE_ME', '[your key]', '{{token}}', `\${A:-b}`, 'YourApiKey'],
])('%s is to be filled in', (value) => {
  expect(isPlaceholder(value)).toBe(true)
})

test.each(['debug', 'sk-abc123', '/home/ana', 'a<b', '$5', 'computer', 'https://x.example'])(
  '%s is a value',
  (value) => {
    expect(isPlaceholder(value)).toBe(false)
  },
)

test('arguments are named by themselves or by the option before them', () => {
  const args = ['-y', 'pkg', '--api-key', 's3cret', '--token=abc', 'Authorization: Bearer x', '-k']
  expect(findSecrets({ args }).map(({ path }) => path)).toEqual(['args[3]', 'args[4]', 'args[5]'])
})

test('an address with a key in its query, and an empty secret', () => {
  expect(findSecrets({ url: 'https://x.example/?api_key=abc' })).toEqual([
    { path: 'url', kind: 'given' },
  ])
  expect(findSecrets({ url: 'https://x.example/?api_key=<key>' })).toEqual([
    { path: 'url', kind: 'needed' },
  ])
  expect(findSecrets({ url: 'https://x.example/?page=2' })).toEqual([])
  expect(env('API_KEY', '')).toBe('needed')
})
