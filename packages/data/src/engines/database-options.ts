import type { Clock } from '@dataagent/guard'
import type { AddressCheck } from './dial.ts'
import type { DatabaseServer } from './source.ts'

/** What the engine of a database server is made of. */
export interface DatabaseEngineOptions {
  server: DatabaseServer
  checkAddress: AddressCheck | undefined
  valueBytes: number
  most: number
  idleMs: number
  describeMs: number
  clock: Clock
}
