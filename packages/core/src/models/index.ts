export type { AnswerLimits } from './answer/answer-stream.ts'
export { type AnthropicOptions, createAnthropicModel } from './anthropic/anthropic-model.ts'
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
export { createOpenAiModel } from './openai/openai-model.ts'
export type { ProviderOptions } from './provider-options.ts'
export { type ModelAnswer, readAnswer } from './read-answer.ts'
export { estimateMessage, estimateMessages, estimateTokens } from './tokens/estimate-tokens.ts'
