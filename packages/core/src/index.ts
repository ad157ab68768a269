export {
  type Agent,
  type AgentConfig,
  type AgentExecutor,
  AgentLoop,
  type AgentLoopOptions,
  createExecutor,
  type EventLogPort,
  type ExecuteContext,
  type ExecutorOptions,
  type LogRow,
  type LoopResult,
  type RunEvent,
} from './engine/index.ts'
export type { ApprovalPolicy, HITLHandler, RejectRule } from './hitl/index.ts'
export { createOpenAiModel } from './models/index.ts'
