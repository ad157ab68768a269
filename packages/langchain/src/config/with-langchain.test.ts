import { countingTool, of, textOf } from '@dataagent/core/engine/test-engine'
import { tool } from '@langchain/core/tools'
import { createMiddleware, todoListMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startFactory } from './test-factory.ts'
import { type LangChainAgentConfig, withLangChain } from './with-langchain.ts'

const look = tool(({ at }) => `saw ${at}`, {
  ...{ name: 'look', description: 'Looks.', schema: z.object({ at: z.string() }) },
})
const calls = (name: string, args: object = {}) => ({
  toolCalls: [{ name, arguments: args as Record<string, unknown> }],
})

test('parts of LangChain and ours work in one agent [D4.1] [D7.5] [D8.3] [D8.4]', async () => {
  const own = countingTool('own')
  const seen: string[] = []
  await using place = await startFactory([
    calls('look', { at: 'sea' }),
    calls('own'),
    { text: 'Done.' },
  ])
  const events = await place.say({
    model: place.chat(),
    extra_tools: [look, own],
    extra_middleware: [
      createMiddleware({ name: 'theirs', beforeModel: () => void seen.push('theirs') }),
      { name: 'ours', beforeModel: () => void seen.push('ours') },
    ],
  })
  expect(textOf(events)).toBe('Done.')
  expect(of(events, 'tool_result').map(({ result }) => result)).toEqual(['saw sea', 'own done'])
  expect(seen.slice(0, 2)).toEqual(['theirs', 'ours'])
  expect(of(events, 'usage')[0]?.model).toBe('openai:standin')
})

test('options hold for the tools of LangChain, those of a middleware too', () => {
  const bringing = createMiddleware({ name: 'bringing', tools: [look] })
  const { extra_tools, extra_middleware } = withLangChain({
    assistant_id: 'helper',
    extra_tools: [tool(() => '', { name: 'send', description: 'x', schema: z.object({}) })],
    extra_middleware: [bringing],
    tool_options: (name) => (name === 'look' ? { untrusted: true } : { approval: 'ask' }),
  })
  expect(extra_tools).toMatchObject([{ name: 'send', approval: 'ask' }])
  expect(extra_middleware?.[0]?.tools).toMatchObject([{ name: 'look', untrusted: true }])
})

test("LangChain's todo list takes the place of ours, and its plan is told [D7.1]", async () => {
  const todos = [{ content: 'Count', status: 'in_progress' }]
  await using place = await startFactory([calls('write_todos', { todos }), { text: 'Planned.' }])
  const { model } = place.engine.agent
  const events = await place.say({ model, extra_middleware: [todoListMiddleware()] })
  expect(of(events, 'todo_update')).toMatchObject([{ todos }])
  expect(of(events, 'tool_result')).toMatchObject([
    { status: 'success', result: expect.stringContaining('Updated todo list') },
  ])
  expect(textOf(events)).toBe('Planned.')
  const [asked] = place.engine.standIn.requests
  expect(asked?.tools.filter(({ name }) => name === 'write_todos')).toHaveLength(1)
  expect(asked?.turns[0]?.text).toContain('## `write_todos`')
  expect(asked?.turns[0]?.text).not.toContain('## Plan')
})

test('a tool that returns directly ends the run [D8.4]', async () => {
  const last = tool(() => 'My word.', {
    ...{ name: 'last', description: 'Ends.', schema: z.object({}), returnDirect: true },
  })
  await using place = await startFactory([calls('last')])
  const { model } = place.engine.agent
  expect(textOf(await place.say({ model, extra_tools: [last] }))).toBe('My word.')
})

test('what is named or left out stays as it is', () => {
  const rest = { assistant_id: 'helper', system_prompt: 'Be brief.', max_turns: 3 }
  expect(withLangChain({ ...rest, model: 'demo' })).toEqual({
    ...{ ...rest, model: 'demo', extra_tools: [], extra_middleware: [] },
  })
  expect(withLangChain(rest)).not.toHaveProperty('model')
})

describe('what is neither is refused by name', () => {
  test.each<[string, object, string]>([
    ['a tool', { extra_tools: [{ name: 'odd' }] }, 'extra_tools has odd'],
    ['a middleware', { extra_middleware: [{ name: 'odd' }] }, 'extra_middleware has odd'],
    ['a middleware that is null', { extra_middleware: [null] }, 'extra_middleware has null'],
    ['a model', { model: { name: 'odd' } }, 'model has odd'],
  ])('%s', (_, fields, message) => {
    const config = { assistant_id: 'helper', ...fields } as LangChainAgentConfig
    expect(() => withLangChain(config)).toThrow(message)
  })

  test('two of one name are an error of the agent, and one is not', async () => {
    await using place = await startFactory([{ text: 'Done.' }])
    const { model } = place.engine.agent
    const named = () => createMiddleware({ name: 'mine', beforeModel: () => undefined })
    expect(textOf(await place.say({ model, extra_middleware: [named()] }))).toBe('Done.')
    await expect(place.say({ model, extra_middleware: [named(), named()] })).rejects.toMatchObject({
      ...{ code: 'config_invalid', message: 'there are two middlewares named mine' },
    })
  })
})
