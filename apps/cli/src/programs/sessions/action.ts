import type { Client } from '@dataagent/client'
import type { FlagValues } from '../../args/index.ts'
import type { ProgramContext } from '../contract.ts'

export interface ActionCall {
  client: Client
  /** The words after the action: an id first, where it needs one. */
  ids: readonly string[]
  flags: FlagValues
}

/** Resolves with the exit code. */
export type Action = (call: ActionCall, context: ProgramContext) => Promise<number>
