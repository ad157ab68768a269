import { AppError } from '@dataagent/schema'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { addRoutes, watchReadiness } from '../deps/index.ts'
import { createTestApp, createTestLog } from '../testing/test-app.ts'
import { healthRoutes } from './health.ts'

const health = '/api/v1/health'
const ready = '/api/v1/ready'

test('health answers without a key [D22.3]', async () => {
  await using server = await createTestApp()
  const response = await server.app.inject(health)
  expect(response.statusCode).toBe(200)
})

test('health has status, version and uptime in seconds [D22.4]', async () => {
  const clock = createFakeClock()
  const { log } = createTestLog()
  const readiness = watchReadiness({ dependencies: [], clock, log, onFatal: () => {} })
  await using app = fastify()
  const routes = healthRoutes({ version: '1.2.3', clock, readiness })
  addRoutes(app, routes, { once: (_call, _route, work) => work() })
  await clock.advance(90_500)
  const body = (await app.inject('/health')).json()
  expect(body).toEqual({ status: 'ok', version: '1.2.3', uptime: 90 })
})

test('a dependency that is away makes health degraded and readiness 503 until it is back', async () => {
  let isAway = true
  const look = async () => {
    if (isAway) throw new AppError('store_unavailable', 'mysql://user:canary@host is away')
  }
  const dependencies = [{ name: 'database', open: look, check: look }]
  await using server = await createTestApp({ dependencies })

  const before = Date.now() - 1000
  const refused = await server.app.inject(ready)
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({
    error_code: 'unavailable',
    message: 'Waiting for: database.',
    details: { dependencies: [{ name: 'database', status: 'away' }] },
  })
  expect(refused.json().details.dependencies[0].since).toBeGreaterThan(before)
  expect(refused.body).not.toContain('canary')
  expect((await server.app.inject(health)).json()).toMatchObject({ status: 'degraded' })

  isAway = false
  const answer = await waitFor(async () => {
    const response = await server.app.inject(ready)
    return response.statusCode === 200 && response.json()
  })
  expect(answer).toMatchObject({ status: 'ready', dependencies: [{ status: 'ready' }] })
  expect((await server.app.inject(health)).json()).toMatchObject({ status: 'ok' })
})
