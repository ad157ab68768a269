import type { ModelUsage } from '@dataagent/core'
import type { UsageMetadata } from '@langchain/core/messages'
import type { Generation } from '@langchain/core/outputs'

export function toUsageMetadata(usage: ModelUsage): UsageMetadata {
  const { prompt_tokens, completion_tokens, cached_tokens } = usage
  return {
    input_tokens: prompt_tokens,
    output_tokens: completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(cached_tokens !== undefined && { input_token_details: { cache_read: cached_tokens } }),
  }
}

export function fromUsageMetadata(usage: UsageMetadata): ModelUsage {
  const cached = usage.input_token_details?.cache_read
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    ...(cached !== undefined && { cached_tokens: cached }),
  }
}

/** What an answer cost, where its provider has counted it. */
export function readUsage(generation: Generation): ModelUsage | undefined {
  const { message } = generation as { message?: { usage_metadata?: UsageMetadata } }
  if (message?.usage_metadata === undefined) return undefined
  const usage = fromUsageMetadata(message.usage_metadata)
  return Object.values(usage).every(isCount) ? usage : undefined
}

/** What a provider counts may be no count. */
function isCount(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= 0
}
