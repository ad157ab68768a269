import { createToolset } from '@dataagent/hub'
import { composeMiddleware } from '../middleware/index.ts'
import type { Agent } from './contract.ts'
import { createRunPromptTools } from './prompt-tools.ts'
import type { PreparedAgent } from './run.ts'

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
