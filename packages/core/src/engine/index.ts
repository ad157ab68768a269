export {
  type AgentFactory,
  type AgentFactoryOptions,
  createAgentFactory,
} from './agent-factory.ts'
export { AgentLoop, type AgentLoopOptions, type LoopResult } from './agent-loop.ts'
export { type Backend, type SandboxKind, sandboxKinds } from './backend.ts'
export type {
  Agent,
  AgentConfig,
  AgentExecutor,
  ExecuteContext,
  ResumeContext,
} from './contract.ts'
export type { DriveEnd, DrivenTurn, SubTurn, TurnDriver } from './driver.ts'
export { type EndLeftRunMeans, endLeftRun, type LeftRun } from './end-left-run.ts'
export { createExecutor, type ExecutorOptions } from './executor.ts'
export { toolsetOf } from './prepare-agent.ts'
export { type ModelCallEnd, type RunPoint, runPoints } from './run.ts'
export type { RunEvent } from './run-log.ts'
