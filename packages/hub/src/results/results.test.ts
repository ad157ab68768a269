import type { CallToolResult } from '@dataagent/mcp'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { createFakeClock } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import type { ResultRow, ResultRows } from './contract.ts'
import { createReadResultTool } from './read-result-tool.ts'
import { createResults } from './results.ts'

const ana: Principal = { tenant_id: 't1', user_id: 'ana', role: 'user' }
const options = { maxBytes: 2_000, pageBytes: 500, ttlMs: 1_000 }

function textResult(...texts: string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })) }
}

function createRows(): ResultRows & { all: ResultRow[] } {
  const all: ResultRow[] = []
  return {
    all,
    insert: async (rows) => void all.push(...rows),
    page: async (id, page) => all.find((row) => row.result_id === id && row.page === page),
    deleteExpired: async () => all.splice(0).length,
  }
}

function setUp() {
  const rows = createRows()
  const clock = createFakeClock()
  return { rows, clock, results: createResults({ ...options, rows, clock }) }
}

describe('a result that fits', () => {
  test.each([
    ['small', textResult('hello')],
    ['of several parts', textResult('a', 'b')],
    ['near the cap by estimate, below it in truth', textResult('x'.repeat(1_900))],
    ['structured', { content: [], structuredContent: { a: [1, null, { b: 'c' }] } }],
  ])('%s is handed over as it is', async (_, raw) => {
    const { rows, results } = setUp()
    const fitted = await results.fit(ana, raw)
    expect(fitted.raw).toBe(raw)
    expect(fitted.rest).toBeUndefined()
    expect(rows.all).toEqual([])
  })

  test('is measured in bytes, not in characters', async () => {
    const { results } = setUp()
    expect((await results.fit(ana, textResult('订'.repeat(700)))).rest).toBeDefined()
  })
})

describe('what a model reads of a result [C4.2]', () => {
  const png = { type: 'image' as const, data: 'aGkh', mimeType: 'image/png' }
  const wav = { type: 'audio' as const, data: 'aGk=', mimeType: 'audio/wav' }
  const structuredContent = { rows: [{ id: 1 }] }
  const blob = { uri: 'x:y', blob: 'aGkh', mimeType: 'application/pdf' }
  const link = { type: 'resource_link' as const, name: 'notes', uri: 'file:///notes' }

  test.each<[string, CallToolResult, string]>([
    [
      'its texts',
      { content: [{ type: 'text', text: 'a chart' }, png], structuredContent },
      'a chart',
    ],
    ['else its structured content', { content: [], structuredContent }, '{"rows":[{"id":1}]}'],
    [
      'also beside an empty text',
      { content: [{ type: 'text', text: '' }], structuredContent },
      '{"rows":[{"id":1}]}',
    ],
    [
      'else what else there is',
      { content: [png, wav, { type: 'resource', resource: blob }] },
      '[image of type image/png, 3 bytes]\n[audio of type audio/wav, 2 bytes]\n' +
        '[resource of type application/pdf, 3 bytes]',
    ],
    [
      'the text of a resource',
      { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'Dear Ana' } }] },
      'Dear Ana',
    ],
    ['where a link leads', { content: [link] }, '[link to notes: file:///notes]'],
    ['nothing of nothing', { content: [] }, ''],
  ])('%s', async (_, raw, text) => {
    expect((await setUp().results.fit(ana, raw)).text).toBe(text)
  })

  test.each([
    [{ type: 'image' }, '[image of type unknown, 0 bytes]'],
    [{ type: 'resource' }, '[resource]'],
    [{ type: 'text' }, ''],
    [{ type: 'json', json: [1] }, '{"type":"json","json":[1]}'],
    [{}, '{}'],
  ])('of a part as %j, %j', async (part, text) => {
    const raw = { content: [part] } as unknown as CallToolResult
    expect((await setUp().results.fit(ana, raw)).text).toBe(text)
  })

  test.each([
    { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(3_000)}` } },
    { type: 'video', data: 'A'.repeat(3_000) },
    { data: 'A'.repeat(3_000) },
  ])('of a large part of a kind that nobody knows, its size', async (part) => {
    const raw = { content: [part] } as unknown as CallToolResult
    const results = createResults({ rows: createRows() })
    const size = `${JSON.stringify(part).length} characters`
    expect((await results.fit(ana, raw)).text).toBe(`[${part.type ?? 'unknown'}, ${size}]`)
  })

  test('of a large part that is JSON, all of it', async () => {
    const part = { type: 'json', json: Array.from({ length: 1_000 }, (_, id) => ({ id })) }
    const raw = { content: [part] } as unknown as CallToolResult
    const results = createResults({ rows: createRows() })
    expect((await results.fit(ana, raw)).text).toBe(JSON.stringify(part))
  })

  test('of very many parts, the first', async () => {
    const content = Array.from({ length: 5_000 }, () => ({ ...png, data: '' }))
    const results = createResults({ rows: createRows() })
    const { text } = await results.fit(ana, { content })
    expect(text.split('\n')).toHaveLength(51)
    expect(text).toContain('[4950 more parts]')
  })

  test('that JSON cannot hold is an error and no exception', async () => {
    const { results } = setUp()
    const raw = { content: [], structuredContent: { id: 1n } } as unknown as CallToolResult
    expect((await results.fit(ana, raw)).raw.isError).toBe(true)
  })
})

describe('a text that is too large', () => {
  const text = `${'订单😀\n'.repeat(400)}the end`

  test('is handed over by its beginning, and the rest can be read on where it ended [T15]', async () => {
    const { results } = setUp()
    const { raw, rest, text: shown } = await results.fit(ana, textResult(text))
    const [beginning, note] = raw.content as { text: string }[]
    expect(note!.text).toContain(`read_result with {"result_id":"${rest!.result_id}","page":2}`)
    expect(shown).toContain(beginning!.text)
    expect(Buffer.byteLength(JSON.stringify(raw))).toBeLessThan(options.maxBytes)
    let whole = beginning!.text
    for (let page = 2; page <= rest!.pages; page++) {
      whole += (await results.read(ana, rest!.result_id, page)).text
    }
    expect(whole).toBe(text)
    expect(rest!.bytes).toBe(Buffer.byteLength(JSON.stringify(textResult(text))))
  })

  test('keeps what says that it is an error', async () => {
    const { results } = setUp()
    expect((await results.fit(ana, { ...textResult(text), isError: true })).raw.isError).toBe(true)
  })

  test('is for this caller alone, answers alike for all others, and expires', async () => {
    const { results, clock } = setUp()
    const { rest } = await results.fit(ana, textResult(text))
    const others: Principal[] = [
      { ...ana, user_id: 'bob' },
      { ...ana, tenant_id: 't2' },
      { ...ana, agent_id: 'a' },
      { ...ana, api_key: 'k' },
    ]
    const refused = (principal: Principal, id = rest!.result_id, page = 2) =>
      results.read(principal, id, page).catch(({ code, message }) => `${code}: ${message}`)
    const unknown = await refused(ana, `res_${'x'.repeat(32)}_9`)
    expect(unknown).toMatch(/^not_found/)
    for (const other of others) expect(await refused(other)).toBe(unknown)
    for (const page of [0, -1, 1.5, Number.NaN, 1e9]) {
      expect(await refused(ana, rest!.result_id, page)).toBe(unknown)
    }
    expect(await refused(ana, "x' or 1=1 --\0")).toBe(unknown)
    clock.advance(1_000)
    expect(await refused(ana)).toBe(unknown)
  })

  test('has a handle that nobody can guess', async () => {
    const { results } = setUp()
    const fitted = await Promise.all([1, 2].map(() => results.fit(ana, textResult(text))))
    const ids = fitted.map(({ rest }) => rest!.result_id)
    expect(new Set(ids).size).toBe(2)
    expect(ids[0]).toMatch(/^res_[\w-]{32}_\d+$/)
  })

  test('still answers where it cannot be kept, and says so', async () => {
    const rows = { ...createRows(), insert: () => Promise.reject(new Error('disk full')) }
    const {
      raw,
      rest,
      text: shown,
    } = await createResults({ ...options, rows }).fit(ana, textResult(text))
    expect(rest).toBeUndefined()
    expect(shown).toContain('订单')
    expect(shown).toContain('could not be kept')
    expect(JSON.stringify(raw)).not.toContain('read_result')
  })

  test('is not kept where its tenant has kept enough, until that has expired', async () => {
    const rows = createRows()
    const clock = createFakeClock()
    const results = createResults({ ...options, rows, clock, ttlMs: 1_000, tenantBytes: 6_000 })
    const isKept = async (by = ana) => 'rest' in (await results.fit(by, textResult(text)))
    expect(Buffer.byteLength(text)).toBeGreaterThan(3_000)
    expect([await isKept(), await isKept()]).toEqual([true, false])
    expect(await isKept({ ...ana, tenant_id: 'other' })).toBe(true)
    clock.advance(1_000)
    expect(await isKept()).toBe(true)
  })

  test('is not kept above a second cap', async () => {
    const rows = createRows()
    const results = createResults({ ...options, rows, keepBytes: 3_000 })
    expect((await results.fit(ana, textResult(text))).text).toContain('could not be kept')
    expect(rows.all).toEqual([])
  })
})

describe('a result of other things that is too large', () => {
  const data = Buffer.alloc(3_000).toString('base64')

  test('names pictures by type and size, and keeps the whole as JSON', async () => {
    const { results } = setUp()
    const raw: CallToolResult = {
      content: [
        { type: 'text', text: 'a chart' },
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'x:y', blob: data, mimeType: 'application/pdf' } },
      ],
    }
    const { text, rest } = await results.fit(ana, raw)
    expect(text).toContain('a chart')
    expect(text).toContain('image of type image/png, 3000 bytes')
    expect(text).toContain('resource of type application/pdf, 3000 bytes')
    let whole = ''
    for (let page = 1; page <= rest!.pages; page++) {
      whole += (await results.read(ana, rest!.result_id, page)).text
    }
    expect(whole).toBe(JSON.stringify(raw))
  })

  test('leaves out structured content and says so', async () => {
    const { results } = setUp()
    const structuredContent = { rows: Array.from({ length: 300 }, (_, id) => ({ id })) }
    const { raw, text } = await results.fit(ana, { ...textResult('300 rows'), structuredContent })
    expect(raw.structuredContent).toBeUndefined()
    expect(text).toContain('300 rows')
    expect(text).toContain('structured content is too large')
  })

  test('is kept once where the text is the structured content again', async () => {
    const { results } = setUp()
    const structuredContent = { rows: Array.from({ length: 300 }, (_, id) => ({ id })) }
    const json = JSON.stringify(structuredContent)
    const { rest } = await results.fit(ana, { ...textResult(json), structuredContent })
    expect(rest!.pages).toBe(Math.ceil(json.length / options.pageBytes))
  })

  test('that JSON cannot hold is an error and no exception', async () => {
    const { results } = setUp()
    const structuredContent: Record<string, unknown> = {}
    structuredContent.self = structuredContent
    expect((await results.fit(ana, { content: [], structuredContent })).raw.isError).toBe(true)
  })

  test('of very many parts is cut', async () => {
    const { results } = setUp()
    const { raw } = await results.fit(ana, {
      content: Array.from({ length: 5_000 }, () => ({
        type: 'audio',
        data: 'AA',
        mimeType: 'a/b',
      })),
    })
    expect(JSON.stringify(raw).length).toBeLessThan(options.maxBytes)
  })
})

describe('in a database', () => {
  let store: SqlStore
  beforeAll(async () => {
    store = openSql({ url: 'sqlite::memory:' })
    await store.migrate()
  })
  afterAll(() => store.close())

  test('a model pages through a result with the tool that the note names, until it is swept', async () => {
    const clock = createFakeClock()
    const results = createResults({ ...options, rows: store.hub.results, clock })
    const tool = createReadResultTool(results)
    const { rest } = await results.fit(ana, textResult(`\0${'0123456789'.repeat(300)}`))
    const context = { principal: ana, signal: AbortSignal.timeout(1_000), call_id: 'c' }
    const { content } = await tool.run({ result_id: rest!.result_id, page: rest!.pages }, context)
    expect(content[1]).toEqual({
      type: 'text',
      text: `[page ${rest!.pages} of ${rest!.pages}; it is the last]`,
    })
    const first = await tool.run({ result_id: rest!.result_id }, context)
    expect(first.content[0]).toMatchObject({ text: expect.stringMatching(/^\u2400012345/) })

    clock.advance(1_000)
    await results.sweep()
    expect(await store.hub.results.page(rest!.result_id, 1)).toBeUndefined()
    await expect(tool.run({ result_id: rest!.result_id }, context)).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

test('the cost of a small result is printed', async () => {
  const { results } = setUp()
  const raw = { ...textResult('x'.repeat(200)), structuredContent: { a: 1, b: ['c'] } }
  const large = createResults({ rows: createRows() })
  for (let index = 0; index < 20_000; index++) await large.fit(ana, raw)
  const began = performance.now()
  for (let index = 0; index < 20_000; index++) await large.fit(ana, raw)
  const each = ((performance.now() - began) * 1_000) / 20_000
  console.log(`a result that fits costs ${each.toFixed(2)} µs`)
  expect(each).toBeLessThan(50)
  expect((await results.fit(ana, raw)).raw).toBe(raw)
})
