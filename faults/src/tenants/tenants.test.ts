import { Agent } from 'node:http'
import { chosenCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { keepLongRun } from '../figures/results.ts'
import { startNode } from '../nodes/node-process.ts'
import { makePeople, toApiKeys } from '../nodes/people.ts'
import { askDoor, type Door, disposable, openDoor } from './door.ts'
import { startUpstream } from './upstream.ts'

const calls = chosenCount('TEST_CALLS', 4_000, 1_000_000)
const tenants = 20
const atOnce = 64
/** Twice the promised one in a hundred, so that no short run falls below it by chance. */
const faultPercent = 2

test(`${calls} calls of ${tenants} tenants, of which one in fifty fails, bring nobody another's bytes [T12] [T13] [T35]`, {
  timeout: 120_000 + calls * 5,
}, async () => {
  await using upstream = await startUpstream({ tenants, faultPercent })
  await using place = await temporaryDirectory()
  const people = makePeople({ tenants, users: 1 })
  await using node = await startNode({
    ...{ name: 'tenants', dataDir: place.path, workers: 1 },
    env: {
      DATAAGENT_API_KEYS: toApiKeys(people),
      DATAAGENT_MULTI_TENANT: 'true',
      DATAAGENT_ALLOWED_ADDRESSES: '127.0.0.1',
      MCP_RL_ENABLED: 'false',
    },
  })
  const doors: Door[] = []
  // One after another: a busy machine refuses some of twenty at once.
  for (const [tenant, person] of people.entries()) {
    doors.push(await openDoor({ url: node.url, person, upstream, tenant }))
  }
  const tally = { answered: 0, failed: 0, crossed: [] as string[], wrong: [] as string[] }
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: atOnce }))
  const numbers = Array.from({ length: calls }, (_, at) => at).values()
  const work = async () => {
    for (const at of numbers) {
      const tenant = at % tenants
      const isList = at % 50 === 49
      const id = `call-${at}`
      const body = await askDoor(agent.held, doors[tenant]!, isList ? undefined : id)
      const foreign = canariesIn(body).filter((found) => found !== upstream.canaryOf(tenant))
      if (foreign.length > 0) tally.crossed.push(`tenant ${tenant}: ${body.slice(0, 300)}`)
      const expected = isList ? 'Of canary-' : `answers ${id}"`
      if (body.includes(expected)) tally.answered += 1
      else if (/"isError":true|"error":/.test(body)) tally.failed += 1
      else tally.wrong.push(body.slice(0, 300))
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: atOnce }, work))
  const { answered, failed, crossed, wrong } = tally
  const figures = {
    ...{ database: 'sqlite', calls, tenants, faults: upstream.faults, answered, failed },
    ...{ crossed: crossed.length, wrong: wrong.length },
    callsPerSecond: Math.round(calls / ((performance.now() - began) / 1_000)),
  }
  console.info(JSON.stringify(figures))
  await keepLongRun('tenants', figures)
  expect(tally.crossed).toEqual([])
  expect(tally.wrong).toEqual([])
  expect(upstream.faults).toBeGreaterThanOrEqual(calls / 100)
  expect(tally.answered).toBeGreaterThan(calls * 0.9)
})

function canariesIn(body: string): string[] {
  return body.match(/canary-\d+-[0-9a-f]{16}/g) ?? []
}
