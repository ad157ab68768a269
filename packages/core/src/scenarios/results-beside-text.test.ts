import { defineTool } from '@dataagent/hub'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { of, person as principal, startEngine, type TestEngine } from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { callsOnce } from './test-words.ts'

const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const
const rows = { rows: [{ id: 1, name: 'tea' }] }

const draw = defineTool({
  ...{ name: 'draw', description: 'Draws.', input: z.object({ value: z.string() }) },
  run: async () => ({ content: [png] }),
})
const list = defineTool({
  ...{ name: 'list', description: 'Lists.', input: z.object({ value: z.string() }) },
  run: async () => ({ content: [], structuredContent: rows }),
})

/** What the model has read as the results of tools, in its last request. */
function readBy({ standIn }: TestEngine): string[] {
  const turns = standIn.requests.at(-1)?.turns ?? []
  return turns.flatMap(({ toolResults }) => toolResults.map(({ text }) => text))
}

describe('a result that is not text', () => {
  test('an image is shown to people and named to the model, also once it is read back [B6.2]', async () => {
    await using engine = await startEngine({
      tools: [draw],
      script: callsOnce(['draw']),
    })
    const events = await engine.say('Go')
    const words = '[image of type image/png, 8 bytes]'
    expect(of(events, 'tool_result')).toMatchObject([
      { result: words, status: 'success', shown: { content: [png], with_text: false } },
    ])
    expect(readBy(engine)).toEqual([words])
    engine.standIn.script([{ text: 'Yes.' }])
    const other = engine.createExecutor()
    for await (const _ of other.execute('And?', engine.session_id, { principal })) void _
    expect(readBy(engine)).toEqual([words])
  })

  test('what is structured is read as JSON, and kept once', async () => {
    await using engine = await startEngine({ tools: [list], script: callsOnce(['list']) })
    const [result] = of(await engine.say('Go'), 'tool_result')
    expect(result).toMatchObject({ result: JSON.stringify(rows), status: 'success' })
    expect(result).not.toHaveProperty('shown')
    expect(readBy(engine)).toEqual([JSON.stringify(rows)])
  })

  test('what a middleware says in its place is said in place of the image too', async () => {
    const hiding: AgentMiddleware = {
      name: 'hiding',
      wrapToolCall: async (request, handler) => ({
        ...(await handler(request)),
        ...{ content: 'hidden', result: 'hidden' },
      }),
    }
    await using engine = await startEngine({
      ...{ tools: [draw], script: callsOnce(['draw']), agent: { middleware: [hiding] } },
    })
    const [result] = of(await engine.say('Go'), 'tool_result')
    expect(result).toMatchObject({ result: 'hidden', status: 'success' })
    expect(JSON.stringify(result)).not.toContain(png.data)
  })
})
