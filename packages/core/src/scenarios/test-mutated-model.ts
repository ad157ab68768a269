import { AppError } from '@dataagent/schema'
import fc from 'fast-check'
import type { ModelDelta, ModelMessage, ModelPort } from '../models/index.ts'

/** One answer of a model that does not keep to its contract. */
export interface MutatedStream {
  batches: readonly (readonly ModelDelta[])[]
  end: 'finish' | 'nothing' | 'app_error' | 'type_error' | 'text'
}

/** A model that gives these answers, and then always the same good one. */
export interface MutatedModel extends ModelPort {
  readonly streams: MutatedStream[]
  /** What it was last asked. */
  readonly asked: readonly ModelMessage[]
}

export function createMutatedModel(): MutatedModel {
  const streams: MutatedStream[] = []
  let asked: readonly ModelMessage[] = []
  return {
    ...{ name: 'mutated:model', contextWindow: 100_000, callsTools: true, streams },
    get asked() {
      return asked
    },
    async *stream({ messages }) {
      asked = [...messages]
      const stream = streams.shift()
      if (stream === undefined) yield [{ type: 'text', text: 'Well.' }]
      else yield* play(stream)
      yield [{ type: 'finish', reason: 'stop' }]
    },
  }
}

async function* play({ batches, end }: MutatedStream) {
  yield* batches
  if (end === 'app_error') throw new AppError('upstream_failed', 'the stream was cut')
  if (end === 'type_error') throw new TypeError('the adapter is broken')
  if (end === 'text') throw 'a text'
}

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\u0000', '\ud800', 'x'.repeat(5_000), '{"tool_call":', '你好', '\u2028'),
)

/** As JSON has them; some so deep that a reader refuses them. */
const args = fc.oneof(
  fc.constant(undefined),
  fc.constant({}),
  fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  fc.constant(JSON.parse('{"__proto__":{"value":1},"constructor":{"prototype":1}}')),
  fc.integer({ min: 50, max: 200 }).map(toDeep),
)

function toDeep(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let i = 0; i < levels; i += 1) value = { value }
  return value
}

const count = fc.oneof(fc.nat(), fc.constantFrom(-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY))

const toolCall = fc.record({
  type: fc.constant('tool_call' as const),
  id: fc.oneof(fc.constantFrom('', 'c1', 'c2', 'x'.repeat(500)), words),
  name: fc.oneof(
    fc.constantFrom('quick', 'quick', 'broken', '', 'no such', '数据', '__proto__'),
    words,
  ),
  arguments: args,
  raw: words,
})

const delta = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('text'), text: words }) },
  { weight: 4, arbitrary: toolCall },
  fc.record({
    type: fc.constant('reasoning'),
    reasoning: fc.record(
      { text: words, signature: words, redacted: words },
      { requiredKeys: ['text'] },
    ),
  }),
  fc.record({
    type: fc.constant('usage'),
    usage: fc.record({ prompt_tokens: count, completion_tokens: count, cached_tokens: count }),
  }),
  fc.constantFrom({ type: 'restart' }, { type: 'model', name: 'other' }, { type: 'unheard' }),
  fc.record({ type: fc.constant('finish'), reason: fc.constantFrom('stop', 'length', '', 'odd') }),
) as fc.Arbitrary<ModelDelta>

const stream: fc.Arbitrary<MutatedStream> = fc.record({
  batches: fc.array(fc.array(delta, { maxLength: 4 }), { maxLength: 6 }),
  end: fc.constantFrom('finish', 'finish', 'nothing', 'app_error', 'type_error', 'text'),
})

export const mutatedStreams = fc.array(stream, { minLength: 1, maxLength: 4 })
