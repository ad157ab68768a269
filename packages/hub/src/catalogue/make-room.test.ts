import { afterAll, expect, test } from 'vitest'
import type { RegisteredServer } from '../servers/index.ts'
import { anAdmin, aServer, aTool, createRig, createServerList, openRows } from './test-catalogue.ts'

const store = await openRows()
const { rows } = store
afterAll(() => store[Symbol.asyncDispose]())

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => aTool(`${prefix}_${n}`))

const namesOf = async ({ tenant_id, server_id }: RegisteredServer) => {
  const stored = await rows.list(tenant_id, server_id)
  const hashes = await rows.listHashes(tenant_id, server_id)
  expect(new Set(hashes.map(({ name }) => name))).toEqual(new Set(stored.map(({ name }) => name)))
  return stored.map(({ name }) => name).sort()
}

function open(toolsMax: number, quarantine: boolean) {
  const server = aServer({ config: { quarantine, pinning: quarantine ? 'pin' : 'warn' } })
  return { server, ...createRig({ rows, servers: createServerList(server), toolsMax }) }
}

test('new names at every look push out those that nobody accepted, the oldest first [A6.2]', async () => {
  const { server, offer, clock, refused, catalogue } = open(10, true)
  for (let round = 0; round < 5; round += 1) {
    await offer(server, ...named(`round${round}`, 4))
    clock.advance(1_000)
  }
  const kept = [...named('round2', 4).slice(2), ...named('round3', 4), ...named('round4', 4)]
  expect(await namesOf(server)).toEqual(kept.map(({ name }) => name))
  expect(catalogue.ofServer(server.tenant_id, server.server_id)).toHaveLength(10)
  expect(catalogue.named(server.tenant_id, 'round0_0')).toEqual([])
  expect(refused).toEqual([])
})

test('what was in use is kept, and new names beyond the limit are not taken over, told once [A6.2]', async () => {
  const { server, offer, offeredBy, refused, published } = open(10, false)
  await offer(server, ...named('first', 8))
  await offer(server, ...named('second', 4))
  expect(offeredBy(server)).toEqual(['second_0', 'second_1'])
  expect(refused).toEqual([server.server_id])
  published.length = 0
  for (let round = 0; round < 3; round += 1) await offer(server, ...named(`more${round}`, 50))
  expect(await namesOf(server)).toHaveLength(10)
  expect(published).toHaveLength(1)
  expect(refused).toHaveLength(1)
  await offer(server, ...named('first', 8))
  expect(offeredBy(server)).toHaveLength(8)
  await offer(server, ...named('second', 4))
  expect(refused).toHaveLength(2)
})

test('what a person refused is not forgotten for new names', async () => {
  const { server, offer, catalogue } = open(2, true)
  await offer(server, aTool('bad'), aTool('idle'))
  const { tenant_id, server_id } = server
  const ref = { server_id, name: 'bad' }
  const { hash = '' } = catalogue.get(tenant_id, ref)?.tool ?? {}
  await catalogue.reject(anAdmin(server), ref, hash)
  await offer(server, ...named('new', 2))
  expect(await namesOf(server)).toEqual(['bad', 'new_0'])
  expect(catalogue.get(tenant_id, ref)?.tool.state).toBe('rejected')
})

test('one that another process has accepted meanwhile is not pushed out', async () => {
  const { server, offer, catalogue } = open(1, true)
  const other = createRig({ rows, servers: createServerList(server), toolsMax: 1 })
  await offer(server, aTool('wanted'))
  await other.catalogue.reload()
  const { tenant_id, server_id } = server
  const ref = { server_id, name: 'wanted' }
  const { hash = '' } = catalogue.get(tenant_id, ref)?.tool ?? {}
  await other.catalogue.approve(anAdmin(server), ref, hash)
  await offer(server, aTool('new'))
  expect(await namesOf(server)).toEqual(['wanted'])
  expect(catalogue.get(tenant_id, ref)?.tool).toMatchObject({ state: 'gone', hash })
})
