import { createToolset, type Toolset } from '@dataagent/hub'
import { type ComposedMiddleware, composeMiddleware } from '../middleware/index.ts'
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
  const toolset = toToolset(agent.tools, composed)
  const hasAfterModel = agent.middleware.some(({ afterModel }) => afterModel !== undefined)
  return { ...agent, composed, toolset, hasAfterModel }
}

/** The tools that an agent brings itself. Throws as `prepareAgent`. */
export const toolsetOf = (agent: Agent): Toolset => prepareAgent(agent).toolset

/** The same agent as its own helper: without the tool by which it asks helpers. */
export function toSubAgent(agent: PreparedAgent): PreparedAgent {
  const tools = agent.tools.filter(({ name }) => name !== taskToolName)
  return { ...agent, tools, toolset: toToolset(tools, agent.composed) }
}

function toToolset(tools: Agent['tools'], composed: ComposedMiddleware): Toolset {
  return createToolset([...tools, ...composed.tools, ...createRunPromptTools()])
}
