import { expect, test } from 'vitest'
import { countingTool, of, person, startEngine } from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { follow } from './test-follow.ts'
import { createLosableLeases } from './test-losable-leases.ts'
import { callsOnce } from './test-words.ts'

const context = { principal: person, approvals: { kind: 'inbox' } } as const

/** A run that waits for a person, and what runs take their messages for. */
async function startAsking() {
  const intents: unknown[] = []
  const middleware: AgentMiddleware = {
    name: 'intents',
    beforeAgent: (_, runtime) => void intents.push(runtime.context.intent),
  }
  const send = countingTool('send', { approval: 'ask' })
  const leases = createLosableLeases()
  const engine = await startEngine({
    ...{ tools: [send], script: callsOnce(['send']), agent: { middleware: [middleware] } },
    executor: { leases },
  })
  const first = follow(engine.executor.execute('Yes', engine.session_id, context))
  await first.until('hitl_request')
  return {
    ...{ engine, intents },
    /** In the process that takes the session up after the first. */
    async say(input: string) {
      leases.lose()
      await first.ended
      engine.standIn.script([{ text: 'I see.' }])
      const next = engine.createExecutor({ leases: createLosableLeases() })
      return follow(next.execute(input, engine.session_id, context)).ended
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

test.each([
  ['Yes, go ahead', 'hitl'],
  ['同意', 'hitl'],
  ['What is the weather?', 'normal'],
])('after a run that left a question, %j is taken as %s [B2.3]', async (input, type) => {
  await using scene = await startAsking()
  const events = await scene.say(input)
  expect(scene.intents).toEqual([{ type: 'normal' }, { type }])
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
})

test('while a run waits for a person, a message is told so, and decides nothing', async () => {
  await using scene = await startAsking()
  const { executor, session_id, hub } = scene.engine
  const events = await follow(executor.execute('Yes', session_id, context)).ended
  expect(of(events, 'error')).toMatchObject([{ error_code: 'unavailable', recoverable: true }])
  expect(of(events, 'error')[0]?.error).toMatch(/waits for a decision/)
  const query = { status: 'pending', limit: 10, offset: 0 } as const
  expect(await hub.approvals.list(person, query)).toHaveLength(1)
})
