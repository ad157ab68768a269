export { createAgentBook } from './agent-book.ts'
export { builtInId } from './built-in-agent.ts'
export type { AgentBook } from './contract.ts'
export { openProviderKey, sealProviderKey } from './provider-secret.ts'
