import { expect, test } from 'vitest'
import { startCoreHub, textOf } from '../testing/test-hub.ts'
import type { SubAgentTask } from './contract.ts'
import { createTaskTool } from './task.ts'
import { createWriteTodos } from './write-todos.ts'

test('write_todos tells the whole list', async () => {
  await using core = await startCoreHub({ tools: () => [createWriteTodos()] })
  const todos = [
    { content: '查数据', status: 'completed' },
    { content: 'draw', status: 'in_progress' },
    { content: 'send' },
  ]
  expect(textOf(await core.call('write_todos', { todos }))).toBe(
    'The plan has 3 steps, 1 done. Now: draw',
  )
  expect(core.events).toMatchObject([
    {
      ...{ event_type: 'todo_update', timestamp: expect.any(Number) },
      todos: [todos[0], todos[1], { content: 'send', status: 'pending' }],
    },
  ])
  expect(
    await core.call('write_todos', { todos: [{ content: 'x', status: 'later' }] }),
  ).toMatchObject({ status: 'invalid', error: { advice: 'fix_arguments' } })
})

test('tasks run at the same time, with the context of the call', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: (SubAgentTask & { user: unknown })[] = []
  const tool = createTaskTool({
    async runSubAgent(task, { principal }) {
      begun.push({ ...task, user: principal.user_id })
      if (begun.length === 2) gate.resolve()
      await gate.promise
      return `did ${task.prompt}`
    },
  })
  await using core = await startCoreHub({ tools: () => [tool] })
  const outcomes = await Promise.all(
    ['a', 'b'].map((prompt) => core.call('task', { description: 'd', prompt })),
  )
  expect(outcomes.map(textOf)).toEqual(['did a', 'did b'])
  expect(begun[0]).toMatchObject({ subagent_type: 'general-purpose', user: 'ada' })
})

test('an agent that there is not is refused with those there are', async () => {
  const types = [{ name: 'analyst', description: 'reads data' }]
  const tool = createTaskTool({ runSubAgent: async () => '', types })
  await using core = await startCoreHub({ tools: () => [tool] })
  const args = { description: 'd', prompt: 'p', subagent_type: 'cook' }
  expect(textOf(await core.call('task', args))).toContain('There are: analyst')
  expect(tool.description).toContain('- analyst: reads data')
})
