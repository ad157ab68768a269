import { expect, test } from 'vitest'
import { changesOf, newAgent, readAgent, toFields } from './read-agent.ts'

test('what is left empty is as the installation says', () => {
  const agent = readAgent({ ...newAgent, assistant_id: 'a', name: 'A', sandbox_type: '' })
  expect(agent).toMatchObject({
    ...{ model: null, system_prompt: null, sandbox_type: null, tool_budget_tokens: null },
    max_turns: 50,
  })
})

test('a form that nobody has touched changes nothing', () => {
  const agent = readAgent({ ...newAgent, model: ' openai:gpt ', tool_budget_tokens: '900' })
  expect(agent).toMatchObject({ model: 'openai:gpt', tool_budget_tokens: 900 })
  expect(readAgent(toFields({ ...agent, created_at: 1, updated_at: 2 }))).toEqual(agent)
})

test('what somebody else has changed meanwhile is not sent back as it was', () => {
  const before = { ...newAgent, assistant_id: 'a', name: 'A', max_turns: '50' }
  expect(changesOf(before, before)).toEqual({})
  expect(changesOf(before, { ...before, model: 'openai:gpt', max_turns: '9' })).toEqual({
    ...{ model: 'openai:gpt', max_turns: 9 },
  })
  expect(changesOf({ ...before, model: 'openai:gpt' }, before)).toEqual({ model: null })
})
