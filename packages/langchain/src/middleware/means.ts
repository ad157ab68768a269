import type { AgentMiddleware, Runtime } from '@dataagent/core'
import type { MessageBook } from '../messages/index.ts'
import type { Fields } from './contract.ts'
import type { RunChanges } from './run-changes.ts'
import type { StateFields } from './state-fields.ts'

/** What the parts of one adapter share. */
export interface Means {
  fields: StateFields
  book: MessageBook
  changes: RunChanges
  toRuntime(runtime: Runtime): Fields
  /** Set where a tool of the middleware ends the run. */
  returnDirect: AgentMiddleware | undefined
}
