import type { OwnTool } from '@dataagent/hub'
import type { AgentMiddleware } from './contract.ts'

/** Tells the model when and how to keep a plan with `tool`, which is `write_todos`. */
export function createTodoList({ tool }: { tool: OwnTool }): AgentMiddleware {
  const text = `## Plan
Use ${tool.name} for work of three or more steps, or when the user gives a list of things to do; \
for less, just do it. Each call gives the whole list anew, so never make two calls at once. Have \
one item in progress while you work, mark an item completed as soon as it is done, and change the \
list when you learn of something new. Finish or drop every item before you give your last answer.`
  return { name: 'todo_list', tools: [tool], systemPrompt: () => text }
}
