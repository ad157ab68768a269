import { isAppError } from '@dataagent/schema'
import { createRandom, longCount } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { anthropicEvents, openAiEvents, playAnswer } from './answer/test-play-answer.ts'
import type { ModelDelta } from './contract.ts'
import { mutate, split } from './test-mutations.ts'
import { ask, type WireName, weather } from './test-wires.ts'
import { withTextDialect } from './text-dialect/with-text-dialect.ts'

const count = longCount(2_000, 100_000)

const call = (index: number, piece: object) => ({ tool_calls: [{ index, ...piece }] })
const words = 'The "weather" in Köln \\ 你好 🍻 {"tool_call":{"name":"x","arguments":{}}} '.split(
  /(?= )/,
)

const recorded: Record<WireName, readonly string[][]> = {
  openai: [
    openAiEvents([{ role: 'assistant', content: '' }, ...words.map((content) => ({ content }))]),
    openAiEvents(
      [
        { reasoning_content: 'Hm' },
        call(0, { id: 'call_a', function: { name: 'one', arguments: '' } }),
        call(0, { function: { arguments: '{"city":' } }),
        call(1, { id: 'call_b', function: { name: 'two', arguments: '{"n":1' } }),
        call(0, { function: { arguments: '"Köln"}' } }),
        call(1, { function: { arguments: '}' } }),
      ],
      'tool_calls',
    ),
    ['{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}]}'],
    ['data: {"error":{"message":"broken","type":"server_error"}}\n\n'],
  ],
  anthropic: [
    anthropicEvents([
      {
        start: { type: 'thinking', thinking: '' },
        deltas: [
          { type: 'thinking_delta', thinking: 'Hm' },
          { type: 'signature_delta', signature: 'sealed' },
        ],
      },
      {
        start: { type: 'text', text: '' },
        deltas: words.map((text) => ({ type: 'text_delta', text })),
      },
      {
        start: { type: 'tool_use', id: 'toolu_1', name: 'one', input: {} },
        deltas: ['{"city"', ':"Köln"', '}'].map((partial_json) => {
          return { type: 'input_json_delta', partial_json }
        }),
      },
    ]),
    ['{"type":"message","content":[{"type":"text","text":"whole"}],"stop_reason":"end_turn"}'],
    ['event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"m"}}\n\n'],
  ],
}

describe.each<WireName>(['openai', 'anthropic'])(
  'answers that are broken on the way (%s)',
  (wire) => {
    test(`each of ${count} streams ends with one finish or an AppError [F31]`, async () => {
      const random = createRandom(wire.length)
      const streams = recorded[wire].map((events) => Buffer.from(events.join('')))
      let finished = 0
      for (let i = 0; i < count; i += 1) {
        const bytes = mutate(streams[i % streams.length] as Buffer, random)
        const ends = random.next() < 0.8 ? 'end' : 'cut'
        const type = random.next() < 0.8 ? 'text/event-stream' : 'application/json'
        const playing = playAnswer(split(bytes, random), { wire, ends, type })
        if (await endsWell(i % 2 === 0 ? playing : inDialect(playing), bytes)) finished += 1
      }
      // Mutations that broke every stream, or none, would prove little.
      expect(finished).toBeGreaterThan(count / 20)
      expect(finished).toBeLessThan(count)
    }, 600_000)
  },
)

function inDialect(stream: AsyncIterable<readonly ModelDelta[]>) {
  const model = { name: 'a:b', contextWindow: 1, callsTools: false, stream: () => stream }
  return withTextDialect(model).stream(ask('hi', { tools: [weather] }), undefined)
}

/** Whether it finished; an end that is neither finish nor AppError fails the test. */
async function endsWell(
  stream: AsyncIterable<readonly ModelDelta[]>,
  bytes: Buffer,
): Promise<boolean> {
  const deltas: ModelDelta[] = []
  try {
    for await (const batch of stream) deltas.push(...batch)
  } catch (error) {
    if (isAppError(error)) return false
    throw new Error(`not an AppError for ${JSON.stringify(bytes.toString())}`, { cause: error })
  }
  const finishes = deltas.filter(({ type }) => type === 'finish').length
  if (finishes !== 1 || deltas.at(-1)?.type !== 'finish') {
    throw new Error(`no finish for ${JSON.stringify(bytes.toString())}`)
  }
  return true
}
