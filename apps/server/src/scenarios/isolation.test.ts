import { access, readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ChatResponse, FactList, MessagesPage, SessionsPage } from '@dataagent/schema'
import {
  lastUserText,
  type RecordedRequest,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import {
  keyOf,
  type Person,
  people,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'
import { createMovableClock } from './test-clock.ts'

const dayMs = 24 * 3_600_000

/** "read path" and "write path text" call the file tools with just that. */
function doesAsTold(request: RecordedRequest) {
  const [, verb, path = '', content = ''] =
    /^(read|write) (\S+) ?(.*)$/.exec(lastUserText(request)) ?? []
  if (verb === undefined || toolRounds(request) > 0) return { text: 'Done.' }
  const args = verb === 'read' ? { path } : { path, content }
  return { toolCalls: [{ name: `${verb}_file`, arguments: args }] }
}

/** One turn in a session that asks nobody: the results of its tools, as text. */
async function say(server: TestPlatform, message: string, as: Person = 'ada') {
  const made = await server.ask<{ session_id: string }>('POST', '/sessions', { as, json: {} })
  const { session_id } = made.body
  await server.ask('PATCH', `/sessions/${session_id}`, { as, json: { auto_approve: true } })
  const json = { message, session_id }
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { as, json })
  const result = body.events.find(({ event_type }) => event_type === 'tool_result')
  const { status } = (result ?? {}) as { status?: string }
  return { session_id, status, text: JSON.stringify(result) }
}

const folderOf = (server: TestPlatform, person: Person) =>
  join(server.dir, 'workspaces', `@${people[person].tenant_id}`, people[person].user_id)

const others = ['bob', 'boss', 'zoe', 'max', 'operator'] as const

describe('one user and the others', () => {
  let server: TestPlatform
  beforeAll(async () => {
    server = await startTestPlatform({ script: doesAsTold })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('sessions and history are seen by their user alone, whatever the role [D32.1] [D32.3] [D32.5]', async () => {
    const { session_id } = await say(server, 'My number is 4711')
    const one = `/sessions/${session_id}`
    for (const as of others) {
      const list = await server.ask<SessionsPage>('GET', '/sessions', { as })
      expect(list.body.sessions.map((session) => session.session_id)).not.toContain(session_id)
      const found = await server.ask<SessionsPage>('GET', '/sessions?q=4711', { as })
      expect(found.body.total).toBe(0)
      const tries = [
        ...['', '/messages', '/events', '/runs', '/export?format=json'].map(
          (rest) => ['GET', `${one}${rest}`, {}] as const,
        ),
        ['DELETE', one, {}] as const,
        ['POST', `${one}/fork`, { json: {} }] as const,
        ['POST', '/chat', { json: { message: 'Go on', session_id } }] as const,
      ]
      for (const [method, path, options] of tries) {
        const { status } = await server.ask(method, path, { ...options, as })
        expect([as, method, path, status]).toEqual([as, method, path, 404])
      }
    }
    const own = await server.ask<MessagesPage>('GET', `${one}/messages`)
    expect(own.body.total).toBe(2)
  })

  test('what one asks to remember is told to no one else’s model [D32.2] [D34.1] [D34.3] [T49]', async () => {
    await say(server, 'Remember that the code word is Zanzibar')
    await say(server, 'What is the code word?')
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).toContain('Zanzibar')
    for (const as of others) {
      await say(server, 'What is the code word?', as)
      expect(JSON.stringify(server.model.requests.at(-1)?.body)).not.toContain('Zanzibar')
    }
    const place = join(server.dir, 'memories', '@acme', 'ada', 'default')
    await access(place)
    expect((await server.ask('DELETE', '/memory')).status).toBe(204)
    await say(server, 'What is the code word?')
    expect(JSON.stringify(server.model.requests.at(-1)?.body)).not.toContain('Zanzibar')
  })

  test('files that an agent writes are in its user’s workspace, and in no other [D32.4] [D32.6]', async () => {
    const written = await say(server, 'write files/plan.txt of Ada')
    expect(written.status).toBe('success')
    expect(await readFile(join(folderOf(server, 'ada'), 'files/plan.txt'), 'utf8')).toBe('of Ada')
    for (const as of others) {
      const read = await say(server, 'read files/plan.txt', as)
      expect([as, read.status]).toEqual([as, 'error'])
      expect(read.text).not.toContain('of Ada')
    }
  })

  test.each(['../bob/files/x.txt', '/etc/passwd', '../../../dataagent.db', '../../master.key'])(
    'an agent is refused %s with a permission error [D32.6] [D33.3] [D33.4]',
    async (path) => {
      for (const told of [`read ${path}`, `write ${path} x`]) {
        const { status, text } = await say(server, told)
        expect(status).toBe('error')
        expect(text).toContain('path_denied')
      }
    },
  )
})

test('a workspace is made when its user signs in for the first time, with its folders [D33.1] [D33.2]', async () => {
  await using server = await startTestPlatform()
  await expect(access(folderOf(server, 'ada'))).rejects.toThrow()
  const json = { api_key: keyOf('ada') }
  expect((await server.ask('POST', '/sign-in', { as: null, json })).status).toBe(200)
  expect((await readdir(folderOf(server, 'ada'))).sort()).toEqual(['files', 'outputs', 'uploads'])
  await expect(access(folderOf(server, 'bob'))).rejects.toThrow()
})

test('over the quota an agent’s writing is refused, and it is told [D33.5] [D33.6]', async () => {
  await using server = await startTestPlatform({ script: doesAsTold })
  const usage = await server.ask('GET', '/workspace')
  expect(usage.body).toMatchObject({ quota_bytes: 1024 ** 3 })
  const json = { workspace_quota: 1_000 }
  await server.ask('PATCH', '/tenants/acme', { as: 'operator', json })
  expect((await say(server, `write files/a.txt ${'x'.repeat(900)}`)).status).toBe('success')
  const refused = await say(server, `write files/b.txt ${'x'.repeat(900)}`)
  expect(refused.status).toBe('error')
  expect(refused.text).toContain('quota_exceeded')
  expect((await readdir(join(folderOf(server, 'ada'), 'files'))).sort()).toEqual(['a.txt'])
})

test('after 30 days without use a workspace is archived, and comes back as it was [D33.7]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ script: doesAsTold, clock })
  await say(server, 'write files/plan.txt of Ada')
  const live = () =>
    access(folderOf(server, 'ada')).then(
      () => true,
      () => false,
    )
  for (let day = 0; day < 29; day += 1) clock.advance(dayMs)
  expect(await live()).toBe(true)
  await waitFor(
    async () => {
      clock.advance(dayMs / 2)
      return !(await live())
    },
    { timeoutMs: 10_000, what: 'the archive' },
  )
  const read = await say(server, 'read files/plan.txt')
  expect(read.text).toContain('of Ada')
})

test('after 90 days without use a fact is forgotten [D34.5]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ clock })
  await say(server, 'Remember that the code word is Zanzibar')
  const facts = async () =>
    (await server.ask<FactList>('GET', '/memory?assistant_id=default')).body.facts
  expect(await facts()).toHaveLength(1)
  clock.advance(89 * dayMs)
  expect(await facts()).toHaveLength(1)
  clock.advance(2 * dayMs)
  await waitFor(async () => (await facts()).length === 0, { timeoutMs: 10_000, what: 'no fact' })
})

test('by setting, both are gone sooner: first the workspace, then the fact [D33.7] [D34.5]', async () => {
  const clock = createMovableClock()
  const config = { workspace_archive_days: 2, memory_retention_days: 5 }
  await using server = await startTestPlatform({ script: doesAsTold, clock, config })
  await say(server, 'write files/plan.txt of Ada')
  await say(server, 'Remember that the code word is Zanzibar')
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    )
  const facts = async () =>
    (await server.ask<FactList>('GET', '/memory?assistant_id=default')).body.facts
  clock.advance(dayMs)
  expect(await isThere(folderOf(server, 'ada'))).toBe(true)
  let days = 1
  await waitFor(
    async () => {
      clock.advance(dayMs / 4)
      days += 0.25
      return !(await isThere(folderOf(server, 'ada')))
    },
    { timeoutMs: 10_000, intervalMs: 100, what: 'the archive' },
  )
  expect(days).toBeLessThan(5)
  expect(await facts()).toHaveLength(1)
  clock.advance((5 - days) * dayMs + 1_000)
  await waitFor(async () => (await facts()).length === 0, { timeoutMs: 10_000, what: 'no fact' })
})

describe('the root of workspaces and memories', () => {
  test('is where the setting says; a user of the default tenant is right below it [D32.7] [D34.2]', async () => {
    await using directory = await temporaryDirectory()
    const dir = join(directory.path, 'elsewhere')
    await using server = await startTestPlatform({ dir, script: doesAsTold })
    await say(server, 'write files/x.txt y', 'operator')
    await say(server, 'Remember that I like tea', 'operator')
    await access(join(dir, 'workspaces', 'operator', 'files', 'x.txt'))
    await access(join(dir, 'memories', 'operator', 'default'))
  })

  test('is /data where that can be written, else ~/.dataagent [D32.7]', async () => {
    await using directory = await temporaryDirectory()
    const rootOf = (sharedDir: string) => {
      const loaded = loadConfig({ argv: [], env: {}, sharedDir })
      return loaded.status === 'ok' ? loaded.config.data_dir : undefined
    }
    expect(rootOf(directory.path)).toBe(directory.path)
    expect(rootOf(join(directory.path, 'absent'))).toBe(join(homedir(), '.dataagent'))
  })
})
