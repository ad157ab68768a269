import { join } from 'node:path'
import { toWireName } from '@dataagent/mcp'
import { AppError, readJson } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, describe, expect, test } from 'vitest'
import { type OwnTool, ownServerId } from '../define-tool/index.ts'
import type { ToolRows } from './contract.ts'
import { anAdmin, aServer, aTool, createRig, createServerList, openRows } from './test-catalogue.ts'

const big = 'x'.repeat(40_000)
const store = await openRows()
const { rows } = store
afterAll(() => store[Symbol.asyncDispose]())

describe('what a server offers', () => {
  test('is held in memory and in mcp_tools with every field [A1.2]', async () => {
    const server = aServer({ server_id: 'mall', config: { name: 'mall4j' } })
    const { catalogue, clock, offer } = createRig({ rows, servers: createServerList(server) })
    const tool = aTool('order.get_detail', {
      title: 'Order',
      outputSchema: { type: 'object', properties: { total: { type: 'number' } } },
      annotations: { readOnlyHint: true, title: 'Order detail' },
    })
    await offer(server, aTool('first'), tool)
    const { tenant_id, server_id } = server
    const entry = catalogue.get(tenant_id, { server_id, name: 'order.get_detail' })
    expect(entry).toMatchObject({
      offer: { status: 'offered' },
      sdk_name: 'mall4j.order.get_detail',
      wire_name: 'mall4j--order--get_detail',
      tool: { state: 'active', version: 1, definition: tool, findings: [], position: 1 },
    })
    expect(entry?.tool.hash).toMatch(/^[0-9a-f]{64}$/)
    const [, row] = await rows.list(tenant_id, server_id)
    expect(row).toMatchObject({
      name: tool.name,
      state: 'active',
      version: 1,
      seen_at: clock.now(),
    })
    expect(row?.hash).toBe(entry?.tool.hash)
    expect(readJson(row!.definition)).toEqual(tool)
  })

  test('keeps every keyword of its schemas, and carries icons and _meta unhashed', async () => {
    const server = aServer()
    const { catalogue, offer } = createRig({ rows, servers: createServerList(server) })
    const inputSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { place: { type: 'object', properties: { street: { type: 'string' } } } },
      type: 'object',
      properties: {
        at: { $ref: '#/$defs/place' },
        region: { type: 'string', 'x-mcp-header': 'Region' },
      },
      additionalProperties: false,
    }
    const icons = [{ src: 'https://example.com/a.png', mimeType: 'image/png', sizes: ['48x48'] }]
    const _meta = { 'com.example/ui': { resource: 'ui://a', hidden: 'a\u200bb' } }
    await offer(server, { ...aTool('plain'), inputSchema })
    await offer(server, { ...aTool('plain'), inputSchema, icons, _meta: { large: big } })
    const { tenant_id, server_id } = server
    const plain = catalogue.get(tenant_id, { server_id, name: 'plain' })
    expect(plain?.tool).toMatchObject({ version: 1, state: 'active' })
    expect(plain?.tool.definition).toEqual({ ...aTool('plain'), inputSchema })
    await offer(server, { ...aTool('shown'), inputSchema, icons, _meta })
    const clean = { 'com.example/ui': { resource: 'ui://a', hidden: 'ab' } }
    const shown = catalogue.get(tenant_id, { server_id, name: 'shown' })
    const expected = { ...aTool('shown'), inputSchema, icons, _meta: clean }
    expect(shown?.tool.definition).toEqual(expected)
    const stored = (await rows.list(tenant_id, server_id)).find(({ name }) => name === 'shown')
    expect(readJson(stored!.definition)).toEqual(expected)
    await offer(server, { ...aTool('large'), icons, _meta: { large: big } })
    const large = catalogue.get(tenant_id, { server_id, name: 'large' })
    expect(large?.tool.definition).toEqual({ ...aTool('large'), icons })
  })

  test('one bad tool loses none of the others', async () => {
    const server = aServer()
    let judged = 0
    const judgeSchema = () => {
      judged += 1
      return judged === 2
        ? ({ status: 'rejected', why: 'too deep' } as const)
        : ({ status: 'plain' } as const)
    }
    const { catalogue, offer, offeredBy } = createRig({
      rows,
      servers: createServerList(server),
      judgeSchema,
    })
    const bad = [null, 7, {}, { name: '' }, { name: 5 }, aTool('x'.repeat(192)), aTool('a\u200bb')]
    await offer(
      server,
      aTool('one'),
      aTool('two'),
      ...bad,
      aTool('one', { title: 'again' }),
      aTool('last'),
    )
    expect(offeredBy(server)).toEqual(['one', 'last'])
    const entries = catalogue.ofServer(server.tenant_id, server.server_id)
    expect(entries).toHaveLength(11)
    const refused = entries.filter(({ tool }) => tool.state === 'rejected')
    expect(refused).toHaveLength(9)
    for (const { tool } of refused) {
      expect(tool.findings).toContainEqual(expect.objectContaining({ kind: 'unusable' }))
    }
    const two = entries.find(({ tool }) => tool.name === 'two')
    expect(two?.tool.findings).toMatchObject([{ message: 'its inputSchema: too deep' }])
    const approval = catalogue.approve(anAdmin(server), two!.tool, two!.tool.hash)
    await expect(approval).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('is filtered as the server is configured, and the first so many are kept', async () => {
    const config = { allowedTools: ['get_*', 'list_*'], blockedTools: ['*_secret'], maxTools: 2 }
    const server = aServer({ config })
    const servers = createServerList(server)
    const { offer, offeredBy } = createRig({ rows, servers })
    await offer(
      server,
      ...['get_secret', 'get_a', 'put_a', 'list_a', 'get_b'].map((name) => aTool(name)),
    )
    expect(offeredBy(server)).toEqual(['get_a', 'list_a'])
    servers.set({ ...server, config: { ...server.config, maxTools: 0 } })
    expect(offeredBy(server)).toEqual(['get_a', 'list_a', 'get_b'])
  })

  test('hidden characters are in no entry', async () => {
    const server = aServer({ config: { pinning: 'follow' } })
    const { catalogue, offer } = createRig({ rows, servers: createServerList(server) })
    await offer(server, aTool('sum', { description: 'Ad\u200bds.\u{e0041}' }))
    const entry = catalogue.get(server.tenant_id, { server_id: server.server_id, name: 'sum' })
    expect(entry?.tool.definition.description).toBe('Adds.')
    expect(entry?.tool.findings).toMatchObject([{ kind: 'hidden_characters' }])
  })

  test('the same again writes nothing, but for seen_at once an hour', async () => {
    const server = aServer()
    let puts = 0
    const counting: ToolRows = {
      ...rows,
      put: (...args) => {
        puts += 1
        return rows.put(...args)
      },
    }
    const { clock, changes, catalogue, offer } = createRig({
      rows: counting,
      servers: createServerList(server),
    })
    await offer(server, aTool('one'))
    const { revision } = catalogue
    for (let minute = 0; minute < 59; minute += 1) {
      clock.advance(60_000)
      await offer(server, aTool('one'))
    }
    expect(puts).toBe(1)
    clock.advance(60_000)
    await offer(server, aTool('one'))
    expect(puts).toBe(2)
    expect((await rows.list(server.tenant_id))[0]?.seen_at).toBe(clock.now())
    expect(catalogue.revision).toBe(revision)
    expect(changes).toHaveLength(1)
  })

  test('a change is published, and told with its names', async () => {
    const server = aServer()
    const { published, changes, catalogue, offer } = createRig({
      rows,
      servers: createServerList(server),
    })
    await offer(server, aTool('one'), aTool('two'))
    expect(published).toEqual([server.tenant_id])
    const { tenant_id, server_id } = server
    expect(changes).toEqual([{ tenant_id, server_id, tools: ['one', 'two'] }])
    expect(catalogue.revision).toBe(1)
  })
})

describe('a server that cannot be reached', () => {
  test('its tools are unavailable at once and return with the handshake [A1.3]', async () => {
    const server = aServer()
    const { catalogue, offer, offeredBy } = createRig({ rows, servers: createServerList(server) })
    await offer(server, aTool('one'))
    const lost = catalogue.observe(server, {
      status: 'unreachable',
      message: '401 from the server',
    })
    const [entry] = catalogue.ofServer(server.tenant_id, server.server_id)
    expect(entry?.offer).toEqual({ status: 'unavailable', message: '401 from the server' })
    await lost
    await offer(server, aTool('one'))
    expect(offeredBy(server)).toEqual(['one'])
  })

  test('what is disabled is withheld at once, by the observer or the configuration', async () => {
    const server = aServer()
    const servers = createServerList(server)
    const { catalogue, offer, offeredBy } = createRig({ rows, servers })
    await offer(server, aTool('one'))
    void catalogue.observe(server, { status: 'disabled' })
    expect(catalogue.ofServer(server.tenant_id, server.server_id)[0]?.offer).toEqual({
      status: 'withheld',
      why: 'server_disabled',
    })
    await offer(server, aTool('one'))
    expect(offeredBy(server)).toEqual(['one'])
    servers.set({ ...server, config: { ...server.config, disabled: true } })
    expect(offeredBy(server)).toEqual([])
  })

  test('tools of an earlier run are known and not offered before the handshake [A1.3]', async () => {
    await using directory = await temporaryDirectory()
    const path = join(directory.path, 'hub.db')
    const server = aServer()
    const servers = createServerList(server)
    {
      await using first = await openRows(path)
      await createRig({ rows: first.rows, servers }).offer(server, aTool('one'), aTool('two'))
    }
    await using second = await openRows(path)
    const { catalogue, offer, offeredBy } = createRig({ rows: second.rows, servers })
    await catalogue.reload()
    const known = catalogue.ofServer(server.tenant_id, server.server_id)
    expect(known.map(({ tool, offer }) => [tool.name, offer.status])).toEqual([
      ['one', 'unavailable'],
      ['two', 'unavailable'],
    ])
    expect(known[0]?.tool.definition).toEqual(aTool('one'))
    await offer(server, aTool('one'))
    expect(offeredBy(server)).toEqual(['one'])
    expect(catalogue.named(server.tenant_id, 'two')[0]?.offer).toEqual({
      status: 'withheld',
      why: 'gone',
    })
  })

  test('a tenant can be loaded alone, and its handshake then reads nothing again', async () => {
    const server = aServer()
    const other = aServer()
    const servers = createServerList(server, other)
    const first = createRig({ rows, servers })
    await first.offer(server, aTool('one'))
    await first.offer(other, aTool('one'))
    let puts = 0
    const put: ToolRows['put'] = async () => {
      puts += 1
      return 0
    }
    const { catalogue, offer, offeredBy } = createRig({ rows: { ...rows, put }, servers })
    await catalogue.reload(server.tenant_id)
    expect([...catalogue.all(server.tenant_id)]).toHaveLength(1)
    expect([...catalogue.all(other.tenant_id)]).toHaveLength(0)
    await offer(server, aTool('one'))
    expect(offeredBy(server)).toEqual(['one'])
    expect(puts).toBe(0)
  })

  test('a server that is removed takes its tools along', async () => {
    const server = aServer()
    const servers = createServerList(server)
    const { catalogue, offer, changes } = createRig({ rows, servers })
    await offer(server, aTool('one'))
    servers.remove(server)
    expect(catalogue.named(server.tenant_id, 'one')).toEqual([])
    expect([...catalogue.all(server.tenant_id)]).toEqual([])
    expect(changes.at(-1)?.tools).toEqual(['one'])
    await offer(server, aTool('one'))
    expect(catalogue.named(server.tenant_id, 'one')).toEqual([])
  })
})

describe('names', () => {
  test('same-named tools on two servers are both found, each by its own name [A6.1]', async () => {
    const tenant_id = 'names'
    const a = aServer({ tenant_id, server_id: 'a1', config: { name: 'serverA', alias: 'left' } })
    const b = aServer({ tenant_id, server_id: 'b1', config: { name: 'serverB' } })
    const { catalogue, offer } = createRig({ rows, servers: createServerList(a, b) })
    await offer(a, aTool('search'))
    await offer(b, aTool('search'))
    const idsOf = (name: string) =>
      catalogue.named(tenant_id, name).map(({ tool }) => tool.server_id)
    expect(idsOf('search')).toEqual(['a1', 'b1'])
    for (const name of [
      'serverA.search',
      'left.search',
      'mcp.serverA.search',
      'mcp.left.search',
      'left--search',
      'a1/search',
    ]) {
      expect(idsOf(name), name).toEqual(['a1'])
    }
    for (const name of ['serverB.search', 'mcp.serverB.search', 'serverB--search', 'b1/search']) {
      expect(idsOf(name), name).toEqual(['b1'])
    }
    expect(idsOf('Search')).toEqual([])
    expect(catalogue.named('other', 'search')).toEqual([])
  })

  test('servers of the same name in different scopes have tools of different names', async () => {
    const tenant_id = 'scopes'
    const config = { name: 'files' }
    const scopes = [
      aServer({ tenant_id, server_id: 'own', user_id: 'bo', config }),
      aServer({ tenant_id, server_id: 'shared', config }),
      aServer({ tenant_id: '*', server_id: 'platform', config }),
      aServer({ tenant_id, server_id: 'dotted', config: { name: 'files.read' } }),
    ]
    const { catalogue, offer } = createRig({ rows, servers: createServerList(...scopes) })
    for (const server of scopes) await offer(server, aTool('read.all'), aTool('all'))
    const entries = [...catalogue.all(tenant_id)]
    expect(entries).toHaveLength(8)
    expect(new Set(entries.map(({ sdk_name }) => sdk_name)).size).toBe(8)
    expect(new Set(entries.map(({ wire_name }) => wire_name)).size).toBe(8)
    expect(catalogue.get(tenant_id, { server_id: 'platform', name: 'all' })?.sdk_name).toBe(
      'files.all',
    )
    for (const { wire_name, sdk_name, tool } of entries) {
      expect(wire_name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(wire_name).toBe(toWireName(sdk_name))
      expect(catalogue.named(tenant_id, wire_name).map((entry) => entry.tool)).toEqual([tool])
    }
  })

  test('a server of one user changes no name of another user', async () => {
    const tenant_id = 'two-users'
    const config = { name: 'files' }
    const first = aServer({ tenant_id, server_id: 'f1', user_id: 'ana', config })
    const second = aServer({ tenant_id, server_id: 'f2', user_id: 'bo', config })
    const { catalogue, offer } = createRig({ rows, servers: createServerList(first, second) })
    await offer(first, aTool('read'))
    await offer(second, aTool('read'))
    const names = [...catalogue.all(tenant_id)].map(({ sdk_name }) => sdk_name)
    expect(names).toEqual(['files.read', 'files.read'])
  })

  test('a new alias is a new name, and the old one is gone', async () => {
    const server = aServer({ config: { name: 'mall', alias: 'old' } })
    const servers = createServerList(server)
    const { catalogue, offer } = createRig({ rows, servers })
    await offer(server, aTool('search'))
    servers.set({ ...server, config: { ...server.config, alias: 'new' } })
    expect(catalogue.named(server.tenant_id, 'old.search')).toEqual([])
    expect(catalogue.named(server.tenant_id, 'new.search')[0]?.sdk_name).toBe('new.search')
  })

  test('a tool that looks like another server’s waits for a person [T11]', async () => {
    const tenant_id = 'look-alikes'
    const honest = aServer({ tenant_id })
    const other = aServer({ tenant_id })
    const { catalogue, offer, offeredBy } = createRig({
      rows,
      servers: createServerList(honest, other),
    })
    await offer(honest, aTool('send_mail'))
    await offer(other, aTool('send_mai1'), aTool('read_mail'))
    expect(offeredBy(other)).toEqual(['read_mail'])
    const [waiting] = await catalogue.pending(tenant_id)
    expect(waiting?.findings).toMatchObject([{ kind: 'look_alike_name', severity: 'high' }])
  })
})

describe('tools of our own', () => {
  const own = (name: string): OwnTool => ({
    name,
    title: undefined,
    description: 'Runs.',
    category: undefined,
    inputSchema: { type: 'object' },
    outputSchema: undefined,
    annotations: {},
    approval: 'allow',
    untrusted: false,
    idempotent: true,
    timeoutMs: undefined,
    run: async () => ({ content: [] }),
  })

  test('are there for every tenant, and stay over a reload', async () => {
    const { catalogue } = createRig({ rows, servers: createServerList() })
    catalogue.addOwn([own('run_sql'), own('chart')])
    await catalogue.reload()
    for (const name of ['run_sql', `${ownServerId}.run_sql`, `${ownServerId}/run_sql`]) {
      const [entry] = catalogue.named('anyone', name)
      expect(entry).toMatchObject({
        sdk_name: 'run_sql',
        wire_name: 'run_sql',
        offer: { status: 'offered' },
      })
      expect(entry?.own?.name).toBe('run_sql')
    }
    expect(catalogue.ofServer('anyone', ownServerId)).toHaveLength(2)
    expect(() => catalogue.addOwn([own('new'), own('chart')])).toThrow(AppError)
    expect(catalogue.named('anyone', 'new')).toEqual([])
  })
})

describe('while the store is away', () => {
  test('what is approved goes on, what is new or changed waits, and it is tried again', async () => {
    const server = aServer()
    let isAway = false
    const flaky: ToolRows = {
      ...rows,
      put: async (...args) => {
        if (isAway) throw new AppError('store_unavailable', 'away')
        return rows.put(...args)
      },
    }
    const { catalogue, offer, offeredBy } = createRig({
      rows: flaky,
      servers: createServerList(server),
    })
    await offer(server, aTool('same'), aTool('other'), aTool('leaves'))
    isAway = true
    const changed = aTool('other', { description: 'Another.' })
    const during = offer(server, aTool('same'), changed, aTool('fresh'))
    expect(offeredBy(server)).toEqual(['same'])
    await expect(during).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(offeredBy(server)).toEqual(['same'])
    await catalogue.reload(server.tenant_id)
    expect(offeredBy(server)).toEqual(['same'])
    isAway = false
    await offer(server, aTool('same'), changed, aTool('fresh'))
    expect(offeredBy(server)).toEqual(['same'])
    const states = (await rows.list(server.tenant_id)).map(({ name, state }) => [name, state])
    expect(Object.fromEntries(states)).toEqual({
      same: 'active',
      other: 'pending',
      fresh: 'quarantined',
      leaves: 'gone',
    })
  })
})
