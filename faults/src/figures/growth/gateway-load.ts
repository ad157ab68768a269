import { createClient } from '@dataagent/client'
import { waitFor } from '@dataagent/testkit'
import type { Person } from '../../nodes/people.ts'
import { toolNames, type Upstream } from '../../tenants/upstream.ts'
import {
  type Door,
  type GatewaySession,
  listTools,
  openAgent,
  openSession,
} from './gateway-session.ts'

/** Sessions of MCP clients at one or several nodes, whose calls take turns over all of them. */
export interface GatewayLoad extends AsyncDisposable {
  /** So many calls, some at once; rejects with the first that fails. */
  run(calls: number): Promise<void>
}

export interface GatewayLoadOptions {
  /** Of the nodes; a session stays with one. */
  urls: readonly string[]
  /** The administrator of each tenant. */
  people: readonly Person[]
  upstream: Upstream
  /** Of each tenant's server. */
  tools: number
  /** Open at once, over all tenants. */
  sessions: number
}

const atOnce = 16
/** Of a group; a key may have 200 streams open in one process. */
const sessionsPerGroup = 100

export async function openGatewayLoad(
  doors: readonly Door[],
  { tools, sessions: count }: Pick<GatewayLoadOptions, 'tools' | 'sessions'>,
): Promise<GatewayLoad> {
  await using cleanup = new AsyncDisposableStack()
  const { agent } = cleanup.use(openAgent(atOnce))
  const sessions: GatewaySession[] = []
  await inTurns(count, async (at) => {
    sessions.push(cleanup.use(await openSession(agent, doors[at % doors.length]!)))
  })
  const names = toolNames(tools)
  const moved = cleanup.move()
  return {
    run: (calls) =>
      inTurns(calls, (at) => sessions[at % sessions.length]!.call(names[at % names.length]!)),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** A server and its groups for each tenant; what is returned has each group at each node. */
export async function openDoors(options: GatewayLoadOptions): Promise<Door[]> {
  const { urls, people, sessions } = options
  using held = openAgent(atOnce)
  const groups = Math.ceil(sessions / people.length / sessionsPerGroup)
  const doors: Door[] = []
  await inTurns(people.length, async (tenant) => {
    const admin = createClient({ baseUrl: urls[0]!, apiKey: people[tenant]!.key })
    await admin.servers.create({
      ...{ config: { name: 'own', url: options.upstream.urlOf(tenant), toolApproval: allowed } },
    })
    for (let group = 0; group < groups; group += 1) {
      const group_id = `own-${tenant}-${group}`
      const made = { group_id, name: group_id, tools: [{ server_id: '*', tool: '*' }] }
      const { key } = await admin.toolGroups.create(made)
      doors.push(...urls.map((url) => ({ url: `${url}/mcp/g/${group_id}`, key })))
    }
  })
  const last = toolNames(options.tools).at(-1)
  await inTurns(doors.length, async (at) => {
    const isListed = async () =>
      (await listTools(held.agent, doors[at]!)).includes(`"name":"${last}"`)
    await waitFor(isListed, { timeoutMs: 60_000, intervalMs: 100, what: 'tools at each door' })
  })
  return doors
}

const allowed = { '*': 'allow' } as const

/** Some at once, each with its number. */
async function inTurns(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, at) => at).values()
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      for (const at of numbers) await work(at)
    }),
  )
}
