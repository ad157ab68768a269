import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import type { SubAgentType, TaskOptions } from './contract.ts'

const generalPurpose: SubAgentType = {
  name: 'general-purpose',
  description: 'has the same tools and works on any task',
}

/** The tool by which an agent gives a part of its work to another; several may run at once. */
export function createTaskTool(options: TaskOptions): OwnTool {
  const { runSubAgent, types = [generalPurpose], timeoutMs = 600_000 } = options
  const names = types.map(({ name }) => name)
  return defineTool({
    name: 'task',
    title: 'Give a task to another agent',
    description: toDescription(types),
    category: 'planning',
    annotations: { readOnlyHint: false, openWorldHint: false },
    timeoutMs,
    input: z.object({
      description: z.string().min(1).max(200).describe('The task in a few words'),
      prompt: z
        .string()
        .min(1)
        .max(50_000)
        .describe('All that the agent must know and what it is to give back: it sees nothing else'),
      subagent_type: z
        .string()
        .max(100)
        .default(names[0] ?? generalPurpose.name),
    }),
    async run(args, context) {
      if (names.includes(args.subagent_type)) return await runSubAgent(args, context)
      const known = names.join(', ')
      throw new AppError(
        'invalid_request',
        `There is no agent ${JSON.stringify(args.subagent_type)}. There are: ${known}`,
      )
    },
  })
}

function toDescription(types: readonly SubAgentType[]): string {
  const lines = types.map(({ name, description }) => `- ${name}: ${description}`)
  return (
    'Gives a task that stands alone to another agent, which has a conversation of its own, and ' +
    'gives its answer. Call it several times at once for tasks that do not need one another.\n' +
    `Agents:\n${lines.join('\n')}`
  )
}
