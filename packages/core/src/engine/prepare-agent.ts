import { createToolset } from '@dataagent/hub'
import { composeMiddleware } from '../middleware/index.ts'
import type { Agent } from './contract.ts'
import { createRunPromptTools } from './prompt-tools.ts'
import type { PreparedAgent } from './run.ts'

const taskToolName = 'task'

/**
 * What is made of an agent once, for all its runs. Throws `config_invalid` or `conflict` where its
 * parts do not fit together.
 */
export function prepareAgent(agent: Agent): PreparedAgent {
  const composed = composeMiddleware(agent.middleware)
  const toolset = createToolset([...agent.tools, ...composed.tools, ...createRunPromptTools()])
  const hasAfterModel = agent.middleware.some(({ afterModel }) => afterModel !== undefined)
  return { ...agent, composed, toolset, hasAfterModel }
}

/** The same agent as its own helper: without the tool by which it asks helpers. */
export function prepareSubAgent(agent: Agent): PreparedAgent {
  const tools = agent.tools.filter(({ name }) => name !== taskToolName)
  return prepareAgent({ ...agent, tools })
}
