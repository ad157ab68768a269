import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentDetails, AgentList, SessionInfo } from '@dataagent/schema'
import { toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
beforeAll(async () => {
  server = await startTestPlatform()
}, 60_000)
afterAll(() => server[Symbol.asyncDispose]())

const add = (json: object, as: 'boss' | 'max' | 'operator' | 'ada' = 'boss') =>
  server.ask<AgentDetails>('POST', '/agents', { as, json })

async function namesFor(as: 'ada' | 'zoe'): Promise<string[]> {
  const { body } = await server.ask<AgentList>('GET', '/agents', { as })
  return body.agents.map(({ assistant_id }) => assistant_id)
}

describe('agents', () => {
  test('begin with the built-in one [D16.4]', async () => {
    const { body } = await server.ask<AgentList>('GET', '/agents', { as: 'operator' })
    expect(body.agents).toEqual([
      {
        ...{ assistant_id: 'default', name: 'DataAgent', model: 'openai:standin' },
        ...{ description: expect.any(String), enabled: true },
      },
    ])
    const details = await server.ask('GET', '/agents/default', { as: 'operator' })
    expect(details.body).toMatchObject({
      ...{ enable_memory: true, enable_skills: true, enable_shell: false, model: null },
    })
  })

  test('are set up by administrators, for their tenant alone, and noted', async () => {
    const made = await add({ assistant_id: 'writer', name: 'Writer', description: 'Writes.' })
    expect(made).toMatchObject({ status: 201, body: { max_turns: 50, enabled: true } })
    expect(await namesFor('ada')).toEqual(['default', 'writer'])
    expect(await namesFor('zoe')).toEqual(['default'])
    const json = { description: 'Writes well.', system_prompt: 'You write.' }
    await server.ask('PUT', '/agents/writer', { as: 'boss', json })
    const { body } = await server.ask('GET', '/agents/writer', { as: 'boss' })
    expect(body).toMatchObject({ name: 'Writer', ...json })
    expect((await server.ask('DELETE', '/agents/writer', { as: 'boss' })).status).toBe(204)
    expect((await server.ask('GET', '/agents/writer', { as: 'boss' })).status).toBe(404)
    const noted = await server.ask<{ changes: { action: string }[] }>(
      'GET',
      '/audit/changes?kind=agent',
      { as: 'boss' },
    )
    const actions = noted.body.changes.map(({ action }) => action)
    expect(actions.slice(0, 3)).toEqual(['removed', 'changed', 'added'])
  })

  test('that are switched off are listed for administrators who ask for all', async () => {
    await add({ assistant_id: 'idle', name: 'Idle', enabled: false })
    expect(await namesFor('ada')).not.toContain('idle')
    const all = await server.ask<AgentList>('GET', '/agents?all=true', { as: 'boss' })
    expect(all.body.agents).toContainEqual(
      expect.objectContaining({ assistant_id: 'idle', enabled: false }),
    )
    expect((await server.ask('GET', '/agents?all=true', { as: 'ada' })).status).toBe(403)
    await server.ask('DELETE', '/agents/idle', { as: 'boss' })
  })

  test.each([
    ['GET', '/agents/default'],
    ['POST', '/agents'],
    ['PUT', '/agents/default'],
    ['DELETE', '/agents/default'],
  ])('are not managed by a user: %s %s', async (method, path) => {
    const request = method === 'GET' || method === 'DELETE' ? {} : { json: {} }
    expect((await server.ask(method, path, request)).status).toBe(403)
  })

  test('of one id are set up once', async () => {
    const json = { assistant_id: 'twice', name: 'Twice' }
    expect((await add(json)).status).toBe(201)
    expect(await add(json)).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect((await add(json, 'max')).status).toBe(201)
  })

  test.each([
    ['a model of no provider', { model: 'nobody:x' }],
    ['a provider without its key', { model: 'anthropic:x' }],
    ['an unknown sandbox', { enable_shell: true, sandbox_type: 'box' }],
  ])('that cannot be are refused: %s', async (_name, change) => {
    const answer = await add({ assistant_id: 'bad', name: 'Bad', ...change }, 'operator')
    expect(answer).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
  })

  test('have a shell outside of a sandbox only where the platform allows it', async () => {
    const shell = { name: 'Shell', enable_shell: true }
    expect((await add({ assistant_id: 'sh1', ...shell })).status).toBe(403)
    expect((await add({ assistant_id: 'sh2', ...shell, sandbox_type: 'none' })).status).toBe(403)
    const boxed = { assistant_id: 'sh3', ...shell, sandbox_type: 'bubblewrap' }
    expect((await add(boxed)).status).toBe(201)
    expect((await add({ assistant_id: 'sh4', ...shell }, 'operator')).status).toBe(201)
  })

  test('are set to approve by themselves only where the tenant has that feature', async () => {
    const allow = (features_enabled: string[]) =>
      server.ask('PATCH', '/tenants/globex', { as: 'operator', json: { features_enabled } })
    const change = async (json: object) =>
      (await server.ask('PUT', '/agents/quick', { as: 'max', json })).status
    const quick = { assistant_id: 'quick', name: 'Quick', auto_approve: true }
    await allow(['*', '-auto_approve'])
    expect((await add(quick, 'max')).status).toBe(403)
    await allow(['*'])
    expect((await add(quick, 'max')).status).toBe(201)
    await allow(['*', '-auto_approve'])
    expect(await change({ name: 'Quicker' })).toBe(200)
    expect(await change({ auto_approve: false })).toBe(200)
    expect(await change({ auto_approve: true })).toBe(403)
    await allow(['*'])
  })

  test('that are built in are changed and given back, not removed', async () => {
    const one = '/agents/default'
    const gone = await server.ask('DELETE', one, { as: 'max' })
    expect(gone).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    await server.ask('PUT', one, { as: 'max', json: { name: 'Ours' } })
    const changed = await server.ask('PUT', one, { as: 'max', json: { max_turns: 7 } })
    expect(changed.body).toMatchObject({ name: 'Ours', max_turns: 7, enable_memory: true })
    expect((await server.ask('DELETE', one, { as: 'max' })).status).toBe(204)
    expect((await server.ask('GET', one, { as: 'max' })).body).toMatchObject({ name: 'DataAgent' })
  })

  test('follow what is changed in sessions that are open, and end with it', async () => {
    await add({ assistant_id: 'live', name: 'Live', system_prompt: 'Prompt one.' })
    const begun = await server.ask<SessionInfo>('POST', '/sessions', {
      json: { assistant_id: 'live' },
    })
    const { session_id } = begun.body
    const say = () => server.ask('POST', '/chat', { json: { message: 'Hi', session_id } })
    await say()
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('Prompt one.')
    const json = { system_prompt: 'Prompt two.' }
    await server.ask('PUT', '/agents/live', { as: 'boss', json })
    await say()
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('Prompt two.')
    await server.ask('PUT', '/agents/live', { as: 'boss', json: { enabled: false } })
    expect(await namesFor('ada')).not.toContain('live')
    const asked = server.model.requests.length
    const refused = await say()
    expect(JSON.stringify(refused.body)).toContain('there is no agent live')
    expect(server.model.requests).toHaveLength(asked)
  })

  test("know the skills of the installation's folder, and read them [D7.3]", async () => {
    const folder = join(server.dir, 'skills', 'brew-tea')
    await mkdir(folder, { recursive: true })
    const head = 'name: brew-tea\ndescription: How tea is made here.'
    await writeFile(join(folder, 'SKILL.md'), `---\n${head}\n---\nWarm the pot first.\n`)
    await add({ assistant_id: 'host', name: 'Host', enable_skills: true })
    const call = { name: 'read_skill', arguments: { name: 'brew-tea' } }
    server.model.script((request) => (toolRounds(request) > 0 ? 'Done.' : { toolCalls: [call] }))
    await server.ask('POST', '/chat', { json: { message: 'Tea?', assistant_id: 'host' } })
    const [first, second] = server.model.requests.slice(-2)
    expect(first?.turns[0]?.text).toContain('- brew-tea: How tea is made here.')
    expect(second?.turns.at(-1)?.toolResults[0]?.text).toContain('Warm the pot first.')
  })
})
