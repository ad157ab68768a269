export { type CallMeans, createCallTool } from './call-tool.ts'
export type { CallSettings, CallTool, ToolCall } from './contract.ts'
export { createOpenQuestions, type QuestionLimits } from './open-questions.ts'
