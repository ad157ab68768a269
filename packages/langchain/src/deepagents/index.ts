export { createWorkspaceBackend, type WorkspaceBackendOptions } from '../backend/index.ts'
export { type DeepAgentOptions, type DeepAgentParams, toDeepAgent } from './to-deep-agent.ts'
