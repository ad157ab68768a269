import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactList, MemoryExport } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Person,
  people,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

async function remember(person: Person, assistant_id: string, text: string): Promise<string> {
  const { tenant_id, user_id } = people[person]
  const owner = { tenant_id, user_id, assistant_id }
  return (await server.platform.memory.remember(owner, { text, by: 'user' })).fact_id
}

async function listOf(as: Person, assistant_id = 'default'): Promise<string[]> {
  const path = `/memory?assistant_id=${assistant_id}`
  const { body } = await server.ask<FactList>('GET', path, { as })
  return body.facts.map(({ text }) => text)
}

describe('memory', () => {
  test('holds what a user asks to remember, below the storage root [D34.1] [D34.2]', async () => {
    await server.ask('POST', '/chat', { json: { message: 'Remember that I like tea' } })
    expect(await listOf('ada')).toEqual([expect.stringContaining('tea')])
    await access(join(server.dir, 'memories', '@acme', 'ada', 'default'))
  })

  test('is one’s own: nobody reads another’s, administrators neither [D32.2] [D34.3]', async () => {
    await remember('bob', 'default', 'Bob has a dog')
    for (const as of ['ada', 'boss', 'zoe', 'operator'] as const) {
      expect(await listOf(as)).not.toContain('Bob has a dog')
      const exported = await server.ask<MemoryExport>('GET', '/memory/export', { as })
      expect(JSON.stringify(exported.body)).not.toContain('dog')
    }
    expect(await listOf('bob')).toEqual(['Bob has a dog'])
  })

  test('forgets one fact, and says where there is none', async () => {
    const fact_id = await remember('max', 'default', 'one')
    await remember('max', 'default', 'two')
    const path = `/memory/${fact_id}?assistant_id=default`
    expect((await server.ask('DELETE', path, { as: 'zoe' })).status).toBe(404)
    expect((await server.ask('DELETE', path, { as: 'max' })).status).toBe(204)
    expect((await server.ask('DELETE', path, { as: 'max' })).status).toBe(404)
    expect(await listOf('max')).toEqual(['two'])
  })

  test('is cleared by its user, of one agent or of all, and of nobody else [D34.4]', async () => {
    await remember('zoe', 'default', 'a')
    await remember('zoe', 'helper', 'b')
    await remember('boss', 'default', 'c')
    await server.ask('DELETE', '/memory?assistant_id=helper', { as: 'zoe' })
    expect([await listOf('zoe', 'helper'), await listOf('zoe')]).toEqual([[], ['a']])
    expect((await server.ask('DELETE', '/memory', { as: 'zoe' })).status).toBe(204)
    expect([await listOf('zoe'), await listOf('boss')]).toEqual([[], ['c']])
  })

  test('is exported whole, and not of an auditor', async () => {
    await remember('operator', 'default', 'x')
    await remember('operator', 'helper', 'y')
    const { body } = await server.ask<MemoryExport>('GET', '/memory/export', { as: 'operator' })
    const found = body.memories.map(({ assistant_id, facts }) => [assistant_id, facts.length])
    expect(found.sort()).toEqual([
      ['default', 1],
      ['helper', 1],
    ])
    expect((await server.ask('GET', '/memory/export', { as: 'eve' })).status).toBe(403)
  })
})
