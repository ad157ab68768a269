export { codeOfProviderError, type ProviderFault } from './answer/provider-error.ts'
export { type AnthropicOptions, createAnthropicModel } from './anthropic/anthropic-model.ts'
export { readArguments } from './arguments/read-arguments.ts'
export type {
  AssistantMessage,
  FinishReason,
  ModelDelta,
  ModelMessage,
  ModelPort,
  ModelPrice,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  Reasoning,
  ToolCallDelta,
  ToolChoice,
  ToolMessage,
  UserMessage,
} from './contract.ts'
export { createDemoModel } from './demo/demo-model.ts'
export { createOpenAiModel } from './openai/openai-model.ts'
export type { ProviderOptions } from './provider-options.ts'
export { readAnswer } from './read-answer.ts'
export {
  createRetryBudget,
  type RetryBudget,
  type RetryBudgetOptions,
} from './retry/retry-budget.ts'
export { type FallbackOptions, withFallback } from './retry/with-fallback.ts'
export { type RetryOptions, withRetry } from './retry/with-retry.ts'
export { type TextDialectOptions, withTextDialect } from './text-dialect/with-text-dialect.ts'
export { estimateMessage, estimateMessages, estimateTokens } from './tokens/estimate-tokens.ts'
