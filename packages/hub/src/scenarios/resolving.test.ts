import { readJson } from '@dataagent/schema'
import { longCount, waitFor } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import { createEchoServers } from './test-echo-servers.ts'
import { admin, startTestHub, type TestHub, toContext } from './test-hub.ts'

const runs = longCount(200, 20_000)
/** Servers come and go on one hub; so many worlds are tried on each. */
const perHub = 50

/** Names that clash, look alike, or hold what names are put together with. */
const toolName = fc.constantFrom(
  ...['echo', 'Echo', 'echo_1', 'a.echo', 'b.echo', 'mcp.a.echo', 'a/echo', 'еcho', 'echo-1'],
  ...['a_echo', 'a__echo', 'x'.repeat(80), `${'x'.repeat(79)}y`],
)
const label = fc.constantFrom('a', 'b', 'A', 'a.b', 'a b', 'a_b', 'а', 'mcp', 'a-b')
const world = fc.uniqueArray(
  fc.record({
    name: label,
    alias: fc.option(label, { nil: undefined }),
    tools: fc.uniqueArray(toolName, { minLength: 1, maxLength: 5 }),
    isBound: fc.boolean(),
    scope: fc.constantFrom('tenant', 'platform'),
  }),
  {
    minLength: 1,
    maxLength: 4,
    // One name is given once within a tenant, and once on the platform.
    selector: ({ name, scope }) => `${scope} ${name.toLowerCase()}`,
  },
)
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

test(
  `in ${runs} worlds of clashing names, every listed name runs on the bound server [A6.1] [A6.2] [T11]`,
  async () => {
    let hubs = 0
    let calls = 0
    for (let done = 0; done < runs; done += perHub) {
      const echo = createEchoServers()
      await using test = await startTestHub({ createTransport: echo.createTransport })
      hubs += 1
      const tries = fc.asyncProperty(world, async (servers) => {
        calls += await tryWorld(test, echo, servers)
      })
      await fc.assert(tries, { numRuns: Math.min(perHub, runs - done), endOnFailure: true })
    }
    console.info(`${runs} worlds on ${hubs} hubs, ${calls} calls, all on the right server`)
  },
  longCount(60_000, 1_800_000),
)

type Echo = ReturnType<typeof createEchoServers>
const root: Principal = { tenant_id: '*', user_id: 'root', role: 'platform_admin' }
let lastServer = 0

interface Made {
  by: Principal
  server_id: string
  tools: number
}

/** Registers the servers, calls what is listed by each of its names, and removes them again. */
async function tryWorld(test: TestHub, echo: Echo, servers: World): Promise<number> {
  const { hub } = test
  const made: Made[] = []
  const bound: { server_id: string; tool: string }[] = []
  try {
    for (const { name, alias, tools, isBound, scope } of servers) {
      lastServer += 1
      const server_id = `server-${lastServer}`
      const by = scope === 'platform' ? root : admin
      echo.offer(server_id, tools)
      const config = { name, command: 'none', ...(alias && { alias }) }
      await hub.servers.register(by, { scope, config, server_id }).catch(refuseImitation)
      if (hub.servers.get(by.tenant_id, server_id) === undefined) continue
      made.push({ by, server_id, tools: tools.length })
      if (isBound) bound.push({ server_id, tool: '*' })
    }
    await hub.policy.setAllowList(admin, { kind: 'agent', id: 'a' }, bound)
    return await callListed(test, made, bound)
  } finally {
    for (const { by, server_id } of made) await hub.servers.remove(by, server_id)
  }
}

/** A name that is too like another one may be refused: then there is no such server. */
function refuseImitation(error: { code?: string }): void {
  expect(['conflict', 'invalid_request', 'forbidden']).toContain(error.code)
}

async function callListed(
  { hub }: TestHub,
  made: Made[],
  bound: { server_id: string }[],
): Promise<number> {
  const isSeen = ({ by, server_id, tools }: Made) => {
    const entries = hub.catalogue.ofServer(by.tenant_id, server_id)
    return entries.length === tools && entries.every(({ offer }) => offer.status !== 'unavailable')
  }
  await waitFor(() => made.every(isSeen), { intervalMs: 1 })
  const context = toContext({ agent_id: 'a' })
  const ids = new Set(bound.map(({ server_id }) => server_id))
  let calls = 0
  const listed = hub.listTools(context).filter(({ own }) => own === undefined)
  for (const { tool, sdk_name, wire_name } of listed) {
    expect(ids).toContain(tool.server_id)
    const { server_id, name } = tool
    for (const asked of [sdk_name, wire_name, `${server_id}/${name}`, { server_id, name }]) {
      const outcome = await hub.callTool(context, { tool: asked })
      expect(outcome, String(asked)).toMatchObject({ status: 'ok', tool: { server_id, name } })
      const { text } = (outcome as { result: { text: string } }).result
      expect(readJson(text)).toMatchObject({ server_id, tool: name })
      calls += 1
    }
    await expectBoundOrNothing(hub, name, ids)
  }
  const wireNames = listed.map(({ wire_name }) => wire_name)
  expect(new Set(wireNames).size).toBe(wireNames.length)
  return calls
}

/**
 * A tool's own name may also be that of others. Then it is refused, or means the one whose full
 * name it is; it never runs on a server that is not bound.
 */
async function expectBoundOrNothing(hub: TestHub['hub'], name: string, ids: Set<string>) {
  const outcome = await hub.callTool(toContext({ agent_id: 'a' }), { tool: name })
  if (outcome.tool !== undefined) expect(ids).toContain(outcome.tool.server_id)
  if (outcome.status === 'ok') return
  expect(['invalid_request', 'approval_required']).toContain(outcome.error.code)
}
