export type {
  ExportedMemory,
  Fact,
  FactList,
  MemoryOwner,
  MemoryStore,
  NewFact,
  RecallOptions,
} from './contract.ts'
export type { DamagedFact } from './facts-folder.ts'
export { createMemoryMiddleware, type MemoryMiddlewareOptions } from './memory-middleware.ts'
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts'
