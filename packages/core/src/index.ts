export type { AgentConfig } from './engine/contract.ts'
