import type { OwnToolContext } from '@dataagent/hub'

/** What an agent asks of another. */
export interface SubAgentTask {
  description: string
  prompt: string
  subagent_type: string
}

/**
 * Runs a task to its end and gives the answer. Called at the same time for several. It shares the
 * `run` of the context, so that what one reads makes both careful, and ends when the signal aborts.
 * What it throws is the failure of the call.
 */
export type RunSubAgent = (task: SubAgentTask, context: OwnToolContext) => Promise<string>

export interface SubAgentType {
  name: string
  /** One line, for the model. */
  description: string
}

export interface TaskOptions {
  runSubAgent: RunSubAgent
  /** The first is the default; left out: `general-purpose` alone. */
  types?: readonly SubAgentType[] | undefined
  /** Default ten minutes. */
  timeoutMs?: number | undefined
}
