import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunEvent } from '../engine/index.ts'
import {
  collect,
  countingTool,
  loadConversation,
  person,
  startEngine,
  type TestEngine,
  textOf,
} from '../engine/test-engine.ts'
import type { ModelMessage } from '../models/index.ts'
import { type Cutting, createCutting } from './test-cutting.ts'
import {
  createMutatedModel,
  type MutatedModel,
  type MutatedStream,
  mutatedStreams,
} from './test-mutated-model.ts'

const runs = longCount(300, 100_000)
const runMs = 20_000

test(
  `${runs} mutated model streams: each run ends, its log folds as it was, the next turn works [D5.3] [D11.1] [F31]`,
  async () => {
    await using scene = await startScene()
    const begun = performance.now()
    const property = fc.asyncProperty(mutatedStreams, cuts, (streams, parts) =>
      play(scene, streams, parts),
    )
    await fc.assert(property, { numRuns: runs, endOnFailure: runs > 1_000 })
    const ms = (performance.now() - begun) / runs
    console.info(`${runs} runs of mutated streams, ${ms.toFixed(1)} ms each with the next turn`)
  },
  60_000 + runs * 200,
)

test('a long session with summaries is read back from the last of them, as it was', async () => {
  await using scene = await startScene()
  const { engine, model, cutting } = scene
  const { session_id } = engine
  const random = createRandom(7)
  for (let turn = 0; turn < 200; turn += 1) {
    cutting.cuts.push(random() < 0.1 ? random() : 0)
    if (random() < 0.3) model.streams.push(callOf(`c${turn}`))
    await engine.say(`Turn ${turn}`)
    cutting.cuts.length = 0
  }
  expect(await engine.sql.events.head(session_id)).toBeGreaterThan(900)
  const folded = await loadConversation(engine.sql.events, session_id)
  await engine.say('Last')
  expect(model.asked).toEqual([...folded.messages, { role: 'user', content: 'Last' }])
})

const cuts = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })), {
  maxLength: 4,
})

const callOf = (id: string): MutatedStream => ({
  batches: [[{ type: 'tool_call', id, name: 'quick', arguments: {}, raw: '{}' }]],
  end: 'finish',
})

/** The same numbers each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

interface Scene extends AsyncDisposable {
  engine: TestEngine
  model: MutatedModel
  cutting: Cutting
}

async function startScene(): Promise<Scene> {
  const model = createMutatedModel()
  const cutting = createCutting()
  const broken = countingTool('broken', {
    run() {
      throw new TypeError('broken')
    },
  })
  const engine = await startEngine({
    agent: { model, maxTurns: 5, middleware: [cutting.middleware] },
    tools: [countingTool('quick'), broken],
  })
  return { engine, model, cutting, [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose]() }
}

async function play(
  { engine, model, cutting }: Scene,
  streams: readonly MutatedStream[],
  parts: readonly number[],
): Promise<void> {
  const session_id = await engine.createSession()
  const say = (input: string) =>
    within(runMs, collect(engine.executor.execute(input, session_id, { principal: person })))
  model.streams.push(...streams)
  cutting.cuts.push(...parts)
  const events = await say('Go')
  expect(['done', 'error']).toContain(events.at(-1)?.event_type)
  model.streams.length = 0
  cutting.cuts.length = 0
  const folded = await loadConversation(engine.sql.events, session_id)
  expectAnswered(folded.messages)
  const next = await say('Next')
  expect(textOf(ownOf(next))).toBe('Well.')
  expect(next.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  // What was kept in memory is what another process reads.
  expect(model.asked).toEqual([...folded.messages, { role: 'user', content: 'Next' }])
}

/** Without what the turn says of a run before it. */
function ownOf(events: readonly RunEvent[]): RunEvent[] {
  const { run_id } = events.at(-1)!
  return events.filter((event) => event.run_id === run_id)
}

/** Model APIs refuse a conversation in which a call has no answer, or an answer no call. */
function expectAnswered(messages: readonly ModelMessage[]): void {
  const open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') expect(open.delete(message.tool_call_id)).toBe(true)
    else expect([...open]).toEqual([])
    if (message.role !== 'assistant') continue
    for (const { id } of message.tool_calls) {
      expect(open.has(id)).toBe(false)
      open.add(id)
    }
  }
  expect([...open]).toEqual([])
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the run hangs')), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
