import { readFile } from 'node:fs/promises'
import type { ChatResponse, ServerInfo } from '@dataagent/schema'
import { startHostileHttp, toolRounds } from '@dataagent/testkit'
import { beforeAll, expect, test } from 'vitest'
import { keyOf, startTestPlatform } from '../testing/test-platform.ts'
import { openTestSocket } from '../testing/test-socket.ts'

const folder = new URL('../../../../deploy/', import.meta.url)

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { refId: string; expr: string }[]
}

interface Dashboard {
  uid: string
  templating: { list: { name: string; type: string; definition?: string }[] }
  panels: Panel[]
}

/** What a server shows after a turn with a tool and an approval. */
let shown: Set<string>
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = JSON.parse(await readFile(new URL('grafana/dataagent.json', folder), 'utf8'))
  await using mall = await startHostileHttp('none')
  await using server = await startTestPlatform({
    script: (request) =>
      toolRounds(request) > 0
        ? { text: 'Counted.' }
        : { toolCalls: [{ name: 'mall--count', arguments: { of: 1 } }] },
  })
  const config = { name: 'mall', url: mall.url, toolApproval: { count: 'ask' } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', {
    ...{ as: 'boss', json: { config } },
  })
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: added.body.server_id })
  const { body } = await server.ask<ChatResponse>('POST', '/sessions', { json: {} })
  const headers = { 'x-api-key': keyOf('ada') }
  using socket = openTestSocket({ url: server.url, session_id: body.session_id, headers })
  await socket.next('connected')
  socket.send('chat', { message: 'Count' })
  const { approval_id } = await socket.next('hitl_request')
  socket.send('hitl_decision', { approval_id, decision: { type: 'approve' } })
  await socket.next('done')
  const scraped = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  const samples = scraped.body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  shown = new Set(samples.map((sample) => sample.split('{')[0] ?? ''))
})

/** The names of metrics in an expression of PromQL. */
function metricsIn(expression: string): string[] {
  return expression.match(/\b(?:dataagent|process|nodejs)_\w+/g) ?? []
}

test('every panel of the dashboard asks for what a server shows', () => {
  const asked = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const names = new Set(asked.flatMap(metricsIn))
  expect(names.size).toBeGreaterThan(25)
  expect([...names].filter((name) => !shown.has(name))).toEqual([])
  for (const expr of asked) {
    expect(metricsIn(expr), expr).not.toEqual([])
    expect(expr).toContain('worker=~"$worker"')
  }
})

test('every counter and histogram that a server shows has its place on the dashboard', () => {
  const asked = JSON.stringify(dashboard)
  const own = [...shown].filter((name) => name.startsWith('dataagent_'))
  const families = own.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
  expect([...new Set(families)].filter((name) => !asked.includes(name))).toEqual([])
})

test('the page about it names each metric that a server shows, and no other', async () => {
  const page = await readFile(new URL('../docs/observability.md', folder), 'utf8')
  const families = new Set([...shown].map((name) => name.replace(/_(?:bucket|sum|count)$/, '')))
  expect([...families].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  const named = [...page.matchAll(/`((?:dataagent|process|nodejs)_\w+)`/g)].map(([, name]) => name)
  expect(named.filter((name) => !families.has(String(name)))).toEqual([])
})

test('its panels have ids of their own and do not lie on one another', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  for (const { type, title, targets = [] } of panels) {
    expect(title).not.toBe('')
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
    expect(targets.length > 0).toBe(type !== 'row')
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
})

test('it can be pointed at another Prometheus, and at one of several workers', () => {
  const { list } = dashboard.templating
  expect(list.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['worker', 'query'],
  ])
  expect(metricsIn(list[1]?.definition ?? '').every((name) => shown.has(name))).toBe(true)
})

test('the alerts ask for what a server shows', async () => {
  const rules = await readFile(new URL('prometheus/alerts.yml', folder), 'utf8')
  const names = new Set(metricsIn(rules))
  expect(names.size).toBeGreaterThan(6)
  expect([...names].filter((name) => !shown.has(name))).toEqual([])
})
