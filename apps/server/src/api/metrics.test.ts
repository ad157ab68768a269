import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform({ config: { multi_tenant: true } })
})
afterAll(async () => server[Symbol.asyncDispose]())

test('metrics count requests by route, never by what a caller made up', async () => {
  await server.ask('GET', '/sessions/no-such-session')
  await server.ask('GET', '/made-up-by-a-caller')
  const { body, headers } = await server.ask<string>('GET', '/metrics', { as: 'operator' })
  expect(headers.get('content-type')).toContain('text/plain')
  expect(body).toMatch(
    /dataagent_http_requests_total\{worker="\d+",method="GET",route="\/api\/v1\/sessions\/:session_id",status="404"\} 1/,
  )
  expect(body).not.toMatch(/made-up|no-such-session/)
  expect(body).toMatch(/dataagent_turns_running\{worker="\d+"\} 0/)
  expect(body).toMatch(/dataagent_http_requests_shed_total\{worker="\d+"\} 0/)
  expect(body).toContain('# TYPE dataagent_http_requests_shed_total counter')
  expect(body).toMatch(/dataagent_event_loop_delay_seconds\{worker="\d+"\} [\d.e-]+/)
  expect(body).toContain('dataagent_http_request_duration_seconds_bucket{worker=')
  const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(samples.filter((line) => !line.includes('worker="'))).toEqual([])
})

test('with several tenants, what is of all of them is not for one of them', async () => {
  const auditor = { user_id: 'watcher', name: 'Watcher', role: 'auditor' }
  await server.ask('POST', '/users', { as: 'operator', json: auditor })
  const { body } = await server.ask('POST', '/users/watcher/api-keys', {
    ...{ as: 'operator', json: { name: 'scraper' } },
  })
  const headers = { 'x-api-key': String(body.key) }
  expect((await server.ask('GET', '/metrics', { as: null, headers })).status).toBe(200)
  for (const path of ['/metrics', '/settings']) {
    expect((await server.ask('GET', path, { as: 'operator' })).status).toBe(200)
    expect((await server.ask('GET', path, { as: 'boss' })).status).toBe(403)
    expect((await server.ask('GET', path, { as: 'eve' })).status).toBe(403)
  }
})

test('with one tenant its administrators and auditors see them', async () => {
  await using single = await startTestPlatform({ config: { multi_tenant: false } })
  expect((await single.ask('GET', '/metrics', { as: 'eve' })).status).toBe(200)
  expect((await single.ask('GET', '/settings', { as: 'boss' })).status).toBe(200)
})
