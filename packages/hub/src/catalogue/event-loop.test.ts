import { systemClock } from '@dataagent/guard'
import { longCount, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { watchLoop } from '../test-loop-watch.ts'
import { createValidator } from '../validation/index.ts'
import { createCatalogue } from './catalogue.ts'
import { aServer, createServerList, openRows } from './test-catalogue.ts'

const count = longCount(1_500, 2_000)
const boundMs = 1_000

/** About 1.6 KB each. */
function toolsSaying(mark: string) {
  const field = { type: 'string', description: 'words '.repeat(20) }
  const names = Array.from({ length: 8 }, (_, n) => [`field_${n}`, field])
  const inputSchema = { type: 'object', properties: Object.fromEntries(names) }
  return Array.from({ length: count }, (_, n) => {
    return { name: `tool_${n}`, description: `${mark} ${'of this '.repeat(40)}`, inputSchema }
  })
}

test(`${count} tools that change at once do not hold the loop`, { timeout: 120_000 }, async () => {
  await using directory = await temporaryDirectory()
  await using store = await openRows(`${directory.path}/tools.db`)
  await using validator = createValidator()
  const server = aServer({ config: { pinning: 'follow' } })
  const { rows } = store
  const { judgeSchema } = validator
  const means = { rows, servers: createServerList(server), judgeSchema, publish: () => {} }
  const catalogue = createCatalogue({ ...means, clock: systemClock })
  const held: Record<string, number> = {}
  const during = async (what: string, work: () => Promise<void>) => {
    using watch = watchLoop()
    await work()
    held[what] = Math.round(watch.worstMs())
  }
  for (const mark of ['first', 'second', 'third']) {
    const tools = toolsSaying(mark)
    await during(mark, () => catalogue.observe(server, { status: 'offers', tools }))
  }
  await during('reload', () => catalogue.reload(server.tenant_id))
  expect(catalogue.ofServer(server.tenant_id, server.server_id)).toHaveLength(count)
  for (const { tool, offer } of catalogue.all(server.tenant_id)) {
    expect(tool.definition.description).toContain('third')
    expect(offer).toEqual({ status: 'offered' })
  }
  const over = Object.entries(held).filter(([, ms]) => ms > boundMs)
  expect(over).toEqual([])
})

test('a tool of 390,000 values is looked at no further than it may be large', async () => {
  await using store = await openRows()
  const server = aServer()
  const servers = createServerList(server)
  const judgeSchema = () => ({ status: 'plain' }) as const
  const means = { rows: store.rows, servers, judgeSchema, publish: () => {} }
  const catalogue = createCatalogue({ ...means, clock: systemClock })
  const x = Array.from({ length: 390_000 }, () => ({ b: 1, a: 2 }))
  const tools = [{ name: 'wide', inputSchema: { type: 'object', x } }, { name: 'narrow' }]
  using watch = watchLoop()
  await catalogue.observe(server, { status: 'offers', tools })
  expect(watch.worstMs()).toBeLessThan(500)
  const offers = catalogue.ofServer(server.tenant_id, server.server_id)
  expect(offers.map(({ tool, offer }) => [tool.name, offer.status])).toEqual([
    ['(tool 1)', 'withheld'],
    ['narrow', 'offered'],
  ])
})

test('what was offered is held back while a long list is read', async () => {
  await using store = await openRows()
  const server = aServer()
  // Each look at it takes a moment: a list of ten is a long one.
  let now = 0
  const clock = { ...systemClock, monotonic: () => (now += 30) }
  const servers = createServerList(server)
  const judgeSchema = () => ({ status: 'plain' }) as const
  const means = { rows: store.rows, servers, judgeSchema, publish: () => {} }
  const catalogue = createCatalogue({ ...means, clock })
  const offers = () => catalogue.ofServer(server.tenant_id, server.server_id).map((e) => e.offer)
  const listed = Array.from({ length: 10 }, (_, n) => ({ name: `tool_${n}` }))
  await catalogue.observe(server, { status: 'offers', tools: listed })
  expect(new Set(offers().map(({ status }) => status))).toEqual(new Set(['offered']))
  const read = catalogue.observe(server, { status: 'offers', tools: listed.slice(0, 9) })
  const reading = { status: 'unavailable', message: expect.stringContaining('being read') }
  expect(offers()).toEqual(listed.map(() => reading))
  await read
  expect(offers().filter(({ status }) => status === 'offered')).toHaveLength(9)
})
