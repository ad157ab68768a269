import { type AgentExecutor, createExecutor } from '@dataagent/core'
import type { LangChainExecutorOptions } from './contract.ts'
import { createGraphDriver } from './graph-driver.ts'

/**
 * An executor whose turns are worked on by LangChain's `createAgent` or DeepAgents'
 * `createDeepAgent`, with the events, approvals, cancel, policy and audit of our own. The log is
 * the session; what the graph keeps beside it is in the checkpointer, under the session's id.
 */
export function createLangChainExecutor(options: LangChainExecutorOptions): AgentExecutor {
  const driver = createGraphDriver(options)
  return createExecutor({ ...options, agent: { ...options.agent, driver } })
}
