import type { GatewayStore } from '@dataagent/gateway'
import { createClientRows } from './client-rows.ts'
import { createGrantRows } from './grant-rows.ts'
import { createGroupRows } from './group-rows.ts'
import type { GatewayRowsOptions } from './tables.ts'

/** The tables of the gateway, as its ports want them. */
export function createGatewayStore(options: GatewayRowsOptions): GatewayStore {
  return {
    groups: createGroupRows(options),
    clients: createClientRows(options),
    grants: createGrantRows(options),
  }
}
