import { type Clock, systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import type { Todo } from '@dataagent/schema'
import { z } from 'zod'

const input = z.object({
  todos: z
    .array(
      z.object({
        content: z.string().min(1).max(2_000),
        status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
      }),
    )
    .max(100)
    .describe('The whole list: it replaces the one before'),
})

/** The tool by which a model keeps its plan. The list is in the events alone: the last holds. */
export function createWriteTodos({ clock = systemClock }: { clock?: Clock } = {}): OwnTool {
  return defineTool({
    name: 'write_todos',
    title: 'Plan',
    description:
      'Writes the plan for a task of several steps, and again whenever a step begins or is done. ' +
      'Always give the whole list. Not needed for simple requests.',
    category: 'planning',
    annotations: { readOnlyHint: false, openWorldHint: false, idempotentHint: true },
    idempotent: true,
    input,
    run({ todos }, { emit }) {
      emit?.({ event_type: 'todo_update', timestamp: Math.floor(clock.now()), todos })
      return describe(todos)
    },
  })
}

function describe(todos: readonly Todo[]): string {
  const done = todos.filter(({ status }) => status === 'completed').length
  const now = todos.filter(({ status }) => status === 'in_progress').map(({ content }) => content)
  const doing = now.length > 0 ? ` Now: ${now.join('; ')}` : ''
  return `The plan has ${todos.length} steps, ${done} done.${doing}`
}
