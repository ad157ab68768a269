import { lastUserText, type Script } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createLimits, type LimitsOptions } from '../middleware/index.ts'
import { createTaskTool } from '../tools/index.ts'
import { runSubAgent } from './sub-agent.ts'
import { countingTool, of, person, startEngine, textOf } from './test-engine.ts'

const task = createTaskTool({ runSubAgent: ({ prompt }, context) => runSubAgent(prompt, context) })
const asking = (prompt: string) => ({
  name: 'task',
  arguments: { description: 'A part of the work', prompt },
})

/** The caller gives out two tasks; each sub-agent counts, and says so. */
const script: Script = (request) => {
  const isAnswered = request.turns.at(-1)?.role === 'tool'
  if (lastUserText(request) === 'Go') {
    if (isAnswered) return { text: 'Both are done.' }
    return { toolCalls: [asking('Count one'), asking('Count two')] }
  }
  if (isAnswered) return { text: `I did: ${lastUserText(request)}` }
  return { toolCalls: [{ name: 'count', arguments: { value: lastUserText(request) } }] }
}

test('sub-agents work at once, each with words of its own, and their caller reads their answers', async () => {
  const count = countingTool('count')
  await using engine = await startEngine({ tools: [count, task], script })
  const events = await engine.say('Go')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  expect(count.runs).toEqual(
    expect.arrayContaining([{ value: 'Count one' }, { value: 'Count two' }]),
  )
  const own = events.filter((event) => !('parent_tool_call_id' in event))
  const results = of(own, 'tool_result').map(({ result }) => result)
  expect(results).toEqual(expect.arrayContaining(['I did: Count one', 'I did: Count two']))
  expect(textOf(own)).toBe('Both are done.')
  const last = engine.standIn.requests.at(-1)!
  expect(last.turns.map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'tool'],
  ])
  expect(last.tools.map(({ name }) => name)).toContain('task')
  const sub = engine.standIn.requests.find((request) => lastUserText(request) === 'Count one')!
  expect(sub.tools.map(({ name }) => name)).not.toContain('task')
})

test('a rejection of what a sub-agent wants ends the run of its caller [D3.4]', async () => {
  const count = countingTool('count', { approval: 'ask' })
  await using engine = await startEngine({ tools: [count, task], script })
  const requestApproval = async () => ({ type: 'reject', message: 'no' }) as const
  const approvals = { kind: 'handler', handler: { requestApproval } } as const
  const events = await engine.say('Go', { principal: person, approvals })
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  expect(count.runs).toEqual([])
})

test.each<[string, LimitsOptions, number]>([
  ['model calls', { maxModelCalls: 5 }, 5],
  ['tool calls', { maxToolCalls: 4 }, 4],
])('what sub-agents use counts in the limit of %s of their caller', async (name, limits, most) => {
  const count = countingTool('count')
  const endless: Script = (request) => ({
    toolCalls:
      lastUserText(request) === 'Go' ? [asking('Count')] : [{ name: 'count', arguments: {} }],
  })
  await using engine = await startEngine({
    ...{ tools: [count, task], script: endless, agent: { middleware: [createLimits(limits)] } },
  })
  const events = await engine.say('Go')
  const own = events.filter((event) => !('parent_tool_call_id' in event))
  expect(textOf(own)).toContain(`limit of ${name}`)
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  const used = {
    'model calls': engine.standIn.requests.length,
    'tool calls': count.runs.length + 1,
  }
  expect(used).toHaveProperty(name, most)
})

test('a cancel ends sub-agents too, and the next turn works [D24.5]', async () => {
  const started = Promise.withResolvers<void>()
  const run = () => {
    started.resolve()
    return new Promise(() => {})
  }
  const count = countingTool('count', { run })
  await using engine = await startEngine({ tools: [count, task], script })
  const cancel = new AbortController()
  const turn = engine.say('Go', { signal: cancel.signal })
  await started.promise
  cancel.abort()
  expect((await turn).at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  engine.standIn.script([{ text: 'Here again.' }])
  expect(textOf(await engine.say('Hello'))).toBe('Here again.')
})
