import { systemClock } from '@dataagent/guard'
import {
  type HostileHttp,
  longCount,
  playMutated,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServerMetrics, type Route, watchReadiness } from '../deps/index.ts'
import { mayAccess } from '../identity/index.ts'
import { createTestLog } from '../testing/test-app.ts'
import { keyOf, people, type TestPlatform } from '../testing/test-platform.ts'
import { type StrictServer, startStrictServer } from '../testing/test-strict-server.ts'
import { type ApiOptions, apiRoutes } from './index.ts'
import { type MatrixRig, matrixCases } from './test-matrix-cases.ts'

const readiness = { dependencies: [], clock: systemClock, log: createTestLog().log, onFatal() {} }
// Only listed: nobody calls these.
const routes = apiRoutes({
  ...{ version: '1', clock: systemClock, readiness: watchReadiness(readiness), worker: '0' },
  ...{ metrics: createServerMetrics(), config: { public_url: undefined }, oidc: undefined },
} as ApiOptions)
const withBodies = routes
  .filter(({ body }) => body !== undefined)
  .map((route) => ({ name: `${route.method} ${route.path}`, route }))
const count = longCount(8, 1_000)

let server: StrictServer
let rig: MatrixRig
let mall: HostileHttp
beforeAll(async () => {
  server = await startStrictServer({ DATAAGENT_MCP_SERVERS_PER_USER: '10000' })
  rig = { server: server as unknown as TestPlatform, actingKey: '' }
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  await server.ask('POST', '/mcp-servers', { as: 'boss', json })
  const tools = async () => JSON.stringify((await server.ask('GET', '/tools')).body)
  await waitFor(async () => (await tools()).includes('"count"'), { what: 'the tools of mall' })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

/** What the body asks for may not be there, or not be there yet. */
const saidCodes = ['upstream_failed', 'unavailable', 'process_failed', 'timeout', 'invalid_result']

describe(`${count} mutated bodies are taken or refused with why, and the next good one is answered as before [T16, T17]`, () => {
  test.each(withBodies)(
    '$name',
    async ({ name, route }) => {
      const asked = matrixCases[name]!
      const as = whoMay(route)
      const path = (await asked.path?.(rig)) ?? route.path
      const good = () => asked.json?.(rig) ?? {}
      const statusOfGood = async () => {
        const path = `${(await asked.path?.(rig)) ?? route.path}${asked.query ?? ''}`
        return (await server.ask(route.method, path, { as, json: await good() })).status
      }
      const before = await statusOfGood()
      const known = server.faults().length
      const samples = [JSON.stringify(await good()), JSON.stringify(await good())]
      await playMutated({ samples, count, caseMs: 10_000 }, async (body) => {
        const answer = await send(`${path}${asked.query ?? ''}`, { method: route.method, as, body })
        expectSaid(answer)
      })
      expect(await statusOfGood()).toBe(before)
      expect(server.faults().slice(known)).toEqual([])
    },
    3_600_000,
  )
})

test('the server is well after all of it, and knows no more people than before', async () => {
  const { status } = await server.ask('GET', '/ready', { as: null })
  expect(status).toBe(200)
  expect(server.program.process.exitCode).toBeNull()
  for (const person of ['ada', 'boss'] as const) {
    const { body } = await server.ask('GET', '/me', { as: person })
    expect(JSON.stringify(body)).toContain(`"role":"${people[person].role}"`)
  }
})

function whoMay({ access }: Route) {
  return (['ada', 'boss', 'operator'] as const).find(
    (one) => access === 'public' || mayAccess(people[one], access),
  )!
}

interface Sent {
  method: string
  as: keyof typeof people
  body: Buffer
}

async function send(path: string, { method, as, body }: Sent) {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    ...{ method, body, redirect: 'manual', signal: AbortSignal.timeout(10_000) },
    headers: { 'x-api-key': keyOf(as), 'content-type': 'application/json' },
  })
  return { status: response.status, text: await response.text() }
}

function expectSaid({ status, text }: { status: number; text: string }): void {
  if (status < 400) return
  const { error_code, message } = JSON.parse(text) as Record<string, unknown>
  expect(typeof message).toBe('string')
  if (status >= 500) expect(saidCodes, text).toContain(error_code)
  // What is wrong with a body is told in few words, not by saying it again.
  expect(text.length).toBeLessThan(20_000)
}
