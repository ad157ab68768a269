import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { countingTool, startEngine } from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { cancelOften, describeCancel, expectGoesOn, withinMs } from './describe-cancel.ts'
import { callsOnce } from './test-words.ts'

await describeCancel()

test.each([
  'beforeAgent',
  'beforeModel',
  'wrapModelCall',
  'afterModel',
  'wrapToolCall',
  'afterAgent',
] as const)('in a middleware whose %s never comes back [D24.5]', async (hook) => {
  let entered = 0
  let isStuck = true
  const stuck = (_: unknown, next: unknown) => {
    if (!isStuck) return typeof next === 'function' ? next(_) : undefined
    entered += 1
    return new Promise(() => {})
  }
  const middleware = [{ name: 'stuck', [hook]: stuck } as unknown as AgentMiddleware]
  const tools = [countingTool('quick')]
  await using engine = await startEngine({
    tools,
    agent: { middleware },
    script: callsOnce(['quick']),
  })
  const { ms, events } = await cancelOften(engine, (_, round) => waitFor(() => entered === round))
  isStuck = false
  expect(ms).toBeLessThan(withinMs)
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  await expectGoesOn(engine)
})
