import { type ServerInfo, serverUpdateSchema } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { emptyDraft, fromConfig, newPair, toConfig, toUpdate } from './draft.ts'
import { findProblems, problemWords } from './draft-problems.ts'
import { toLines, toLinesText, toList } from './lists.ts'

const stored = {
  ...{ server_id: 's1', user_id: 'ana', status: 'running', tool_count: 3, created_at: 1 },
  ...{ updated_at: 2, status_message: 'x', name: 'mall', transport: 'http', timeout: 12 },
  ...{ url: 'https://mall.example/mcp', headers: { Authorization: { set: true, last4: 'wxyz' } } },
  ...{ trigger_keywords: ['订单', 'order'], allowedTools: [], blockedTools: ['x.*'], maxTools: 4 },
  ...{ approval: 'ask', quarantine: false, credentials: 'shared', pinning: 'warn' },
} as unknown as ServerInfo

describe('a draft', () => {
  test('of a stored server gives back what the form does not show, and the secrets as they are', () => {
    const config = toConfig(fromConfig(stored))
    expect(config).toMatchObject({
      ...{ name: 'mall', transport: 'http', timeout: 12, maxTools: 4, pinning: 'warn' },
      ...{ headers: { Authorization: { set: true, last4: 'wxyz' } }, approval: 'ask' },
      ...{ trigger_keywords: ['订单', 'order'], blockedTools: ['x.*'] },
    })
    expect(Object.keys(config)).not.toContain('server_id')
    expect(Object.keys(config)).not.toContain('status_message')
  })

  test('of a command has its arguments one by one and its variables', () => {
    const env = [newPair('API_KEY', 'k'), newPair(' ', 'nothing')]
    const args = '-y\n@scope/server\n\n/data dir'
    const draft = { ...emptyDraft(), name: ' files ', transport: 'stdio' as const, args, env }
    expect(toConfig({ ...draft, command: 'npx' })).toMatchObject({
      ...{ name: 'files', command: 'npx', env: { API_KEY: 'k' } },
      args: ['-y', '@scope/server', '/data dir'],
    })
    expect(toConfig(draft)).not.toHaveProperty('url')
  })

  test('puts a token into the header that servers read it from', () => {
    const draft = { ...emptyDraft(), name: 'a', url: 'https://a.example' }
    const headersOf = (value: string) =>
      toConfig({ ...draft, token: newPair('Authorization', value) })
    expect(headersOf('abc')).toMatchObject({ headers: { Authorization: 'Bearer abc' } })
    expect(headersOf('Basic abc')).toMatchObject({ headers: { Authorization: 'Basic abc' } })
    expect(headersOf('')).toMatchObject({ headers: {} })
    expect(
      fromConfig({ ...toConfig({ ...draft }), headers: { Authorization: 'Bearer q' } } as never)
        .token.value,
    ).toBe('q')
  })

  test('says what is missing', () => {
    const found = findProblems(
      { ...emptyDraft(), url: 'ftp://x', timeout: 'soon' },
      problemWords.en,
    )
    expect(Object.keys(found).sort()).toEqual(['name', 'timeout', 'url'])
  })
})

test('a server is switched off with all else as it is', () => {
  const update = toUpdate(stored, { disabled: true })
  expect(update).toMatchObject({ disabled: true, headers: { Authorization: { set: true } } })
  expect(update).not.toHaveProperty('tool_count')
})

test('one that came with the product can be changed and switched off', () => {
  const sample = { ...stored, scope: 'tenant', user_id: null, sample: true } as ServerInfo
  for (const update of [toUpdate(sample, { disabled: true }), toConfig(fromConfig(sample))]) {
    expect(serverUpdateSchema.safeParse(update).error).toBeUndefined()
  }
})

test.each([['a'], ['-e', 'one\ntwo'], ['', ' '], ['["x"]']].map((list) => [list]))(
  'the arguments %j are the same after they were shown',
  (list) => expect(toLines(toLinesText(list))).toEqual(list),
)

test('a list takes commas of either language', () => {
  expect(toList('订单，order、 refund\n order')).toEqual(['订单', 'order', 'refund'])
})
