import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createClient } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'
import type { Person } from '../nodes/people.ts'
import type { Upstream } from './upstream.ts'

export interface Door {
  url: string
  key: string
}

/** A tenant's own server, and its tools for an MCP client: they are there. */
export async function openDoor(needs: {
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
  await waitFor(async () => (await askDoor(agent.held, door, undefined)).includes('Of canary-'), {
    ...{ timeoutMs: 60_000, intervalMs: 100, what: `tools of tenant ${tenant}` },
  })
  return door
}

/** Calls a tool, or without an id lists them. */
export function askDoor(agent: Agent, { url, key }: Door, id: string | undefined): Promise<string> {
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

export function disposable(held: Agent): { held: Agent } & Disposable {
  return { held, [Symbol.dispose]: () => held.destroy() }
}
