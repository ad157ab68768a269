import { join } from 'node:path'
import { createSecret, type QueryResult } from '@dataagent/schema'
import {
  captureOutput,
  createCanary,
  createDatabase,
  expectNoCanary,
  findService,
  temporaryDirectory,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRetailSample, retailQuestions } from '../sample/index.ts'
import {
  administrator,
  openTestDataRoom,
  structuredOf,
  type TestDataRoom,
  textOf,
} from '../test-data-room.ts'

const found = { mysql: await findService('mysql'), postgres: await findService('postgres') }

describe.each(['mysql', 'postgres'] as const)('a password for %s', (kind) => {
  test.skipIf(!found[kind])('that is wrong is in no list, error, event, log or file', async () => {
    using output = captureOutput()
    await using room = await openTestDataRoom()
    await using database = await createDatabase(kind)
    const canary = createCanary()
    const url = new URL(database.url)
    url.username = 'nobody_like_that'
    url.password = encodeURIComponent(canary.password)
    const { source_id } = await room.sources.create(administrator, {
      ...{ name: 'Shop', description: 'What was sold' },
      location: { kind: kind as 'mysql', url: createSecret(url.href) },
    })
    const checked = await room.sources.check(administrator, source_id)
    expect(checked).toMatchObject({ status: 'failing', read_only: null })
    const outcomes = []
    for (const [tool, args] of [
      ['list_sources', {}],
      ['describe_source', { source: 'Shop' }],
      ['run_sql', { source: 'Shop', sql: 'SELECT 1' }],
      ['profile_table', { source: 'Shop', table: 't' }],
    ] as const) {
      outcomes.push(await room.call(tool, args))
    }
    expect(textOf(outcomes[2]!)).toMatch(/^The database does not let this source in/)
    expect(checked.status_text).toMatch(/nobody_like_that|authentication|denied/i)
    const rows = await room.store.sources.list('default')
    const told = { checked, outcomes, events: room.events, logs: room.logs, rows }
    await expectNoCanary(
      [canary],
      [
        { name: 'told', object: told },
        { name: 'output', text: output.text() },
        { directory: room.dir },
      ],
    )
  })
})

test('an address that cannot be read is not repeated', async () => {
  await using room = await openTestDataRoom()
  const canary = createCanary()
  const { source_id } = await room.sources.create(administrator, {
    ...{ name: 'Shop', description: '' },
    location: { kind: 'mysql', url: createSecret(`mysql:/u:${canary.password}@h`) },
  })
  const checked = await room.sources.check(administrator, source_id)
  expect(checked.status_text).toMatch(/cannot be read/)
  const outcome = await room.call('run_sql', { source: 'Shop', sql: 'SELECT 1' })
  await expectNoCanary([canary], [{ name: 'told', object: { checked, outcome, logs: room.logs } }])
})

describe('the retail sample', () => {
  const cleanup = new AsyncDisposableStack()
  let room: TestDataRoom

  beforeAll(async () => {
    room = cleanup.use(await openTestDataRoom())
    const { path } = cleanup.use(await temporaryDirectory())
    const { folder } = await makeRetailSample({
      ...{ folder: join(path, 'retail'), until: new Date('2026-11-17'), orders: 20_000 },
    })
    const { source_id } = await room.sources.create(administrator, {
      ...{ name: 'Retail', description: 'A year of orders' },
      location: { kind: 'files', folder },
    })
    for (const question of retailQuestions) {
      await room.store.questions.put(
        {
          ...{ ...question, also: [...question.also], tenant_id: 'default', source_id },
          ...{ verified: true, owner_user_id: null, updated_at: 1 },
        },
        { max: 500 },
      )
    }
  })
  afterAll(() => cleanup.disposeAsync())

  test.each(retailQuestions)('$question_id is answered, as verified', async (question) => {
    const outcome = await room.call('run_sql', { source: 'retail', sql: question.sql })
    const query = structuredOf<QueryResult>(outcome)
    expect(query.verified_question_id).toBe(question.question_id)
    expect(query.rows.length).toBeGreaterThan(0)
  })

  test('is described with some verified questions, and how many more there are', async () => {
    const text = textOf(await room.call('describe_source', { source: 'retail' }))
    expect(text).toContain('orders, 20000 rows')
    const shown = retailQuestions.filter(({ question }) => text.includes(`\n  ${question}\n`))
    expect(shown).toHaveLength(40)
    expect(text).toContain(`  ${retailQuestions.length - 40} more are not shown.`)
  })
})
