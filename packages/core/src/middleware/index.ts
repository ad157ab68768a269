export { type ComposedMiddleware, composeMiddleware } from './compose.ts'
export type {
  AgentMiddleware,
  AgentState,
  ModelCall,
  ModelReply,
  RequestedCall,
  Runtime,
  StateUpdate,
  SummaryUpdate,
  ToolCallRequest,
  ToolReply,
} from './contract.ts'
export { createLimits, type LimitsOptions } from './limits/limits.ts'
export type { RunHooks } from './run-hooks.ts'
export { createShellMiddleware, type ShellOptions } from './shell/shell-middleware.ts'
export {
  loadSkillTools,
  type SkillToolKit,
  type SkillToolsOptions,
} from './skills/load-skill-tools.ts'
export type { InvalidSkill } from './skills/skill-shelf.ts'
export { createSkillsMiddleware, type SkillsOptions } from './skills/skills-middleware.ts'
export type { HookResult } from './state-update.ts'
export { userWordsOf } from './summarisation/notes.ts'
export { createSummarisation, type SummarisationOptions } from './summarisation/summarisation.ts'
export { createTodoList } from './todo-list.ts'
