import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readGuide } from './readme/describe-guide.ts'
import { commandsOf, type RanCommands, refusalsIn, runCommands } from './readme/run-commands.ts'
import { type ServerProcess, startServerProcess } from './readme/test-server-process.ts'

const { text } = await readGuide('api.md')
const [start = '', ...commands] = commandsOf(text)

/** The page has its key configured; here it is made. */
async function keyOfAda({ url, key }: ServerProcess): Promise<string> {
  const { users, apiKeys } = createClient({ baseUrl: url, apiKey: key })
  await users.create({ user_id: 'ada', name: 'Ada' })
  return (await apiKeys.create('ada', { name: 'shell' })).key
}

describe('the commands of docs/api.md run as they stand', () => {
  const cleanup = new AsyncDisposableStack()
  let ran: RanCommands
  const partWith = (words: RegExp) => ran.parts.find((part) => words.test(part)) ?? 'no such part'

  beforeAll(async () => {
    const folder = cleanup.use(await temporaryDirectory()).path
    const env = { DATAAGENT_SAMPLES: 'on' }
    const server = cleanup.use(await startServerProcess(join(folder, 'data'), env))
    const [, own = ''] = /key=([^']+)'/.exec(start) ?? []
    const places = { 'http://localhost:8000': server.url, [own]: await keyOfAda(server) }
    ran = await runCommands(commands, { places, cwd: folder })
  }, 100_000)
  afterAll(() => cleanup.disposeAsync())

  test('each is answered', () => {
    expect(ran.code, ran.said).toBe(0)
    expect(ran.said.match(/^20\d /gm)?.length).toBeGreaterThan(20)
    expect(refusalsIn(ran)).toEqual([])
  })

  test('the first calls say who one is, and give turns', () => {
    expect(partWith(/"user_id":"ada"/)).toMatch(/"event_type":"done"[\s\S]*^event: done$/m)
    expect(partWith(/buy milk$/m)).toContain('"role":"user"')
  })

  test('what is sent twice is done once', () => {
    const part = partWith(/idempotency-replayed: true/i)
    const ids = [...part.matchAll(/"session_id":"([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(1)
  })

  test('an approval is decided, and its turn goes on', () => {
    const part = partWith(/hitl_request/)
    expect(part).toMatch(/"type":"reject"/)
    expect(part).toMatch(/^event: done$/m)
  })

  test('an uploaded file is asked', () => {
    expect(partWith(/"row_count"/)).toMatch(/\["West",20\]/)
  })
})
