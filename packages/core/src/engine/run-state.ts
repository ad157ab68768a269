import type { OwnToolContext, RunState } from '@dataagent/hub'
import type { PromptToolsView } from '../intent/index.ts'

/** What a call of one of our own tools finds of the run that it belongs to. */
export interface EngineRunState extends RunState {
  /** What the run can use. */
  view?: PromptToolsView
  /** Works on a task as a sub-agent of the run, which itself has none. */
  runTask?: (prompt: string, context: OwnToolContext) => Promise<string>
}
