import { createEgress } from '@dataagent/guard'
import { createSecret } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { startCoreHub, textOf } from '../../testing/test-hub.ts'
import { startWeb, type WebAnswer } from './test-web.ts'
import { createWebSearch } from './web-search.ts'

const key = 'tvly-canary-key'
const found = {
  query: 'q',
  answer: null,
  results: [
    { title: '结果', url: 'https://a.example/', content: ' 内容 ', score: 0.9, raw_content: null },
    { title: '', url: 'https://b.example/', content: 'two', published_date: '2026-11-01' },
  ],
  response_time: 0.4,
}

async function openSearch(answer: WebAnswer) {
  const stack = new AsyncDisposableStack()
  const web = stack.use(await startWeb({ '/search': answer }))
  const core = stack.use(
    await startCoreHub({
      tools({ egress }) {
        const { tool } = createWebSearch({ egress, apiKey: createSecret(key), baseUrl: web.origin })
        return [tool!]
      },
    }),
  )
  return { web, core, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a search asks Tavily with the key and gives what it found [D8.1]', async () => {
  await using rig = await openSearch({ body: JSON.stringify(found) })
  const outcome = await rig.core.call('web_search', { query: '上海 销售', time_range: 'week' })
  expect(textOf(outcome)).toBe(
    '1. 结果\nhttps://a.example/\n内容\n\n2. https://b.example/ (2026-11-01)\nhttps://b.example/\ntwo',
  )
  const [request] = rig.web.requests
  expect(request).toMatchObject({ method: 'POST', headers: { authorization: `Bearer ${key}` } })
  expect(JSON.parse(request!.body)).toEqual({
    ...{ query: '上海 销售', max_results: 5, topic: 'general', time_range: 'week' },
  })
})

test('what it found counts as untrusted', async () => {
  await using rig = await openSearch({ body: JSON.stringify(found) })
  const run = { run_id: 'r', untrusted: new Set<string>() }
  await rig.core.call('web_search', { query: 'q' }, { run })
  expect([...run.untrusted]).toEqual(['dataagent'])
})

test.each([
  [401, 'unavailable', 'check TAVILY_API_KEY'],
  [429, 'rate_limited', 'limit is reached'],
  [432, 'rate_limited', 'limit is reached'],
  [400, 'invalid_request', 'Change it'],
  [500, 'upstream_failed', 'status 500'],
])('status %i says what to do, and never the key', async (status, code, words) => {
  await using rig = await openSearch({ status, body: `{"detail":{"error":"bad ${key}"}}` })
  const outcome = await rig.core.call('web_search', { query: 'q' })
  expect(outcome).toMatchObject({ status: 'failed', error: { code } })
  expect(textOf(outcome)).toContain(words)
  expect(JSON.stringify(outcome)).not.toContain(key)
})

test.each(['not json', '{"results":1}', ''])(
  'an answer that cannot be read is told: %j',
  async (body) => {
    await using rig = await openSearch({ body })
    expect(await rig.core.call('web_search', { query: 'q' })).toMatchObject({
      error: { code: 'upstream_failed' },
    })
  },
)

test('nothing found is said', async () => {
  await using rig = await openSearch({ body: '{"results":[]}' })
  expect(textOf(await rig.core.call('web_search', { query: 'q' }))).toContain('nothing was found')
})

test('a redirect never takes the key elsewhere', async () => {
  await using other = await startWeb({ '/search': { body: JSON.stringify(found) } })
  await using rig = await openSearch({
    ...{ status: 307, headers: { location: `${other.origin}/search` } },
  })
  expect((await rig.core.call('web_search', { query: 'q' })).status).toBe('failed')
  expect(other.requests).toEqual([])
})

test('without a key there is no tool, and a notice says so [D8.1]', async () => {
  await using egress = createEgress({ policy: { mode: 'any' } })
  const { tool, notice } = createWebSearch({ egress, apiKey: undefined })
  expect(tool).toBeUndefined()
  expect(notice).toContain('TAVILY_API_KEY')
})
