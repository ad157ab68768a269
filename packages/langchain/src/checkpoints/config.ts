import { AppError, type CheckpointHistory, type CheckpointRow } from '@dataagent/schema'
import type { RunnableConfig } from '@langchain/core/runnables'

/** The history that a LangGraph config names. Throws `invalid_request`. */
export function toHistory(tenant_id: string, { configurable }: RunnableConfig): CheckpointHistory {
  const thread_id = configurable?.thread_id
  const checkpoint_ns = configurable?.checkpoint_ns ?? ''
  assertText('thread_id', thread_id)
  assertText('checkpoint_ns', checkpoint_ns)
  return { tenant_id, thread_id, checkpoint_ns }
}

/** The checkpoint that a config names, if it names one. Throws `invalid_request`. */
export function checkpointIdOf({ configurable }: RunnableConfig): string | undefined {
  const checkpoint_id = configurable?.checkpoint_id || configurable?.thread_ts || undefined
  if (checkpoint_id !== undefined) assertText('checkpoint_id', checkpoint_id)
  return checkpoint_id
}

export function toConfig(
  { thread_id, checkpoint_ns }: CheckpointHistory,
  checkpoint_id: string,
): RunnableConfig {
  return { configurable: { thread_id, checkpoint_ns, checkpoint_id } }
}

export function toParentConfig(row: CheckpointRow): RunnableConfig | undefined {
  const { parent_checkpoint_id } = row
  return parent_checkpoint_id === null ? undefined : toConfig(row, parent_checkpoint_id)
}

export function assertText(field: string, value: unknown): asserts value is string {
  if (typeof value === 'string') return
  throw new AppError('invalid_request', `configurable.${field} must be a text`)
}
