import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { runProgram } from '../testing/test-program.ts'
import { openStory } from './test-story.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({ isDemo: true, env: { DATAAGENT_SAMPLES: 'on' } })
  const isThere = async () => {
    const { sources } = await platform.client.data.sources()
    return sources.some(({ name }) => name === 'retail')
  }
  await waitFor(isThere, { timeoutMs: 100_000, what: 'the sample data' })
}, 180_000)
afterAll(() => platform[Symbol.asyncDispose]())

test('a question about data is answered with a table, a chart and its number; then the person asks', async () => {
  await using story = await openStory({ platform, columns: 100, rows: 50 })
  await story.see('Ask anything')
  story.say('sales by region last month')
  await story.see(/✓ run_sql[\s\S]*q1 · \d+ rows · .* · retail/, { timeoutMs: 60_000 })
  await story.see(/✓ make_chart[\s\S]*█[\s\S]*\[q1\]/, { timeoutMs: 60_000 })
  const shown = story.all().join('\n')
  expect(shown).toMatch(/│ +[\d.]+ +▇+/)
  story.say('/sql q1 --csv regions.csv')
  await story.see('Saved as regions.csv')
  const saved = await readFile(join(story.folder, 'regions.csv'), 'utf8')
  expect(saved.split('\n').length).toBeGreaterThan(3)
  story.say('/sql SELECT count(*) AS orders FROM orders')
  await story.see(/q2 · 1 row · .* · retail\s+orders/)
  story.say('/schema retail orders')
  await story.see(/ordered_at +TIMESTAMP/)
  story.write('@retail.ord')
  await story.see('retail.orders')
}, 180_000)

test('without a person the answer is followed by the tables it cites, and events have the blocks', async () => {
  const env = { DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey }
  const text = await runProgram(['run', '上月各区域销售额'], { env })
  expect(text).toMatchObject({ code: 0 })
  expect(text.stdout).toMatch(/\[q1\][\s\S]*\nq1 · \d+ rows · .* · retail[\s\S]*│/)
  const json = await runProgram(['run', '--output', 'json', '--events', '上月各区域销售额'], {
    env,
  })
  const { events } = JSON.parse(json.stdout)
  const blocks = events.filter((event: object) => 'block' in event)
  expect(blocks.map(({ block }: { block: { kind: string } }) => block.kind)).toContain('query')
  expect(events.some(({ event_type }: { event_type: string }) => event_type === 'citations')).toBe(
    true,
  )
}, 120_000)
