import type { ModelCall, ModelReply } from '../middleware/index.ts'
import { estimateMessages, estimateTokens } from '../models/index.ts'
import { estimateTools } from './estimate-tools.ts'
import type { Run } from './run.ts'

type AccountedCall = Pick<ModelCall, 'systemPrompt' | 'messages' | 'tools'> & {
  model: { name: string }
}

/** What the provider counted; where it does not tell, what we estimate. */
export function account(
  { usage }: Pick<Run, 'usage'>,
  reply: ModelReply,
  call: AccountedCall,
  alwaysMore: number,
): void {
  const prompt =
    toCount(reply.usage?.prompt_tokens) ??
    estimateTokens(call.systemPrompt) + estimateMessages(call.messages) + estimateTools(call.tools)
  usage.model = reply.model ?? call.model.name
  usage.prompt_tokens += prompt
  usage.completion_tokens +=
    toCount(reply.usage?.completion_tokens) ?? estimateTokens(reply.content)
  usage.cached_tokens += toCount(reply.usage?.cached_tokens) ?? 0
  usage.always_prompt_tokens += Math.max(0, prompt + alwaysMore)
}

/** What a provider counts may be no count. */
function toCount(tokens: number | undefined): number | undefined {
  return Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? tokens : undefined
}
