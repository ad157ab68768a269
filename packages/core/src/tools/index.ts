export type { RunSubAgent, SubAgentTask, SubAgentType, TaskOptions } from './contract.ts'
export type { FileDiff, FileState } from './files/diff-of.ts'
export {
  createFileOpTracker,
  type FileChange,
  type FileOpTracker,
} from './files/file-op-tracker.ts'
export { createFileTools, type FileToolsOptions } from './files/file-tools.ts'
export { createHttpTools, type HttpToolsOptions } from './http/http-tools.ts'
export type { WebOptions } from './http/web.ts'
export { createWebSearch, type WebSearch, type WebSearchOptions } from './http/web-search.ts'
export { createTaskTool } from './task.ts'
export { createWriteTodos } from './write-todos.ts'
