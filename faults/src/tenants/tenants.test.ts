import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient } from '@dataagent/client'
import { longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startNode } from '../nodes/node-process.ts'
import { makePeople, type Person, toApiKeys } from '../nodes/people.ts'
import { startUpstream, type Upstream } from './upstream.ts'

const calls = longCount(4_000, 1_000_000)
const tenants = 20
const atOnce = 64
/** A little more than one in a hundred calls. */
const faultPercent = 1.2

test(`${calls} calls of ${tenants} tenants, of which one in eighty fails, bring nobody another's bytes [T12] [T13] [T35]`, {
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
  const doors = await Promise.all(
    people.map((person, tenant) => openDoor({ url: node.url, person, upstream, tenant })),
  )
  const tally = { answered: 0, failed: 0, crossed: [] as string[], wrong: [] as string[] }
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: atOnce }))
  const numbers = Array.from({ length: calls }, (_, at) => at).values()
  const work = async () => {
    for (const at of numbers) {
      const tenant = at % tenants
      const isList = at % 50 === 49
      const id = `call-${at}`
      const body = await ask(agent.held, doors[tenant]!, isList ? undefined : id)
      const foreign = canariesIn(body).filter((found) => found !== upstream.canaryOf(tenant))
      if (foreign.length > 0) tally.crossed.push(`tenant ${tenant}: ${body.slice(0, 300)}`)
      const expected = isList ? 'Of canary-' : `answers ${id}"`
      if (body.includes(expected)) tally.answered += 1
      else if (/"isError":true|"error":/.test(body)) tally.failed += 1
      else tally.wrong.push(body.slice(0, 300))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  console.info(`${JSON.stringify(tally)}, ${upstream.faults} faults`)
  expect(tally.crossed).toEqual([])
  expect(tally.wrong).toEqual([])
  expect(upstream.faults).toBeGreaterThan(calls / 125)
  expect(tally.answered).toBeGreaterThan(calls * 0.9)
})

interface Door {
  url: string
  key: string
}

/** A tenant's own server, and its tools for an MCP client. */
async function openDoor(needs: {
  url: string
  person: Person
  upstream: Upstream
  tenant: number
}): Promise<Door> {
  const { url, person, upstream, tenant } = needs
  const admin = createClient({ baseUrl: url, apiKey: person.key })
  await admin.servers.create({
    config: { name: 'own', url: upstream.urlOf(tenant), toolApproval: { '*': 'allow' } },
  })
  const { key } = await admin.toolGroups.create({
    ...{ group_id: `own-${tenant}`, name: 'Own', tools: [{ server_id: '*', tool: '*' }] },
  })
  const door = { url: `${url}/mcp/g/own-${tenant}`, key }
  using agent = disposable(new Agent())
  await waitFor(async () => (await ask(agent.held, door, undefined)).includes('Of canary-'), {
    ...{ timeoutMs: 60_000, intervalMs: 100, what: `tools of tenant ${tenant}` },
  })
  return door
}

function ask(agent: Agent, { url, key }: Door, id: string | undefined): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const method = id === undefined ? 'tools/list' : 'tools/call'
  const params = id === undefined ? {} : { name: 'ask', arguments: { id } }
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
    text(answer).then(resolve, reject)
  })
  sent.once('error', reject)
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return promise
}

function canariesIn(body: string): string[] {
  return body.match(/canary-\d+-[0-9a-f]{16}/g) ?? []
}

function disposable(held: Agent): { held: Agent } & Disposable {
  return { held, [Symbol.dispose]: () => held.destroy() }
}
