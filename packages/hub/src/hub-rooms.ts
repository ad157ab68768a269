import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Note } from './changes/index.ts'
import { deriveKey } from './derive-key.ts'
import type { HubOptions } from './hub-options.ts'
import type { Revisions } from './revisions/index.ts'
import { createServerGate, createServers, type Servers } from './servers/index.ts'
import { type Authorizers, createAuthorizers } from './sign-ins/index.ts'

/** The registry of servers as the hub's options want it. */
export function createHubServers(
  options: HubOptions,
  { publish, clock, note }: { publish: Revisions['publish']; clock: Clock; note: Note },
): Servers {
  return createServers({
    rows: options.store.servers,
    vault: options.vault,
    key: deriveKey(options.key, 'credentials'),
    gate: options.gate ?? createServerGate(),
    clock,
    note,
    publish: (tenant_id) => publish(tenant_id, 'servers'),
    ...(options.quotaOf && { quotaOf: options.quotaOf }),
  })
}

/** Who gives requests the tokens that people have signed in for. */
export function createHubAuthorizers(options: HubOptions, clock: Clock): Authorizers {
  const { oauth, store, vault, kv, egressFor, onLog } = options
  return createAuthorizers({
    ...{ oauth, rows: store.signIns, vault, kv, owner: randomUUID(), clock, egressFor },
    onWarning: ({ tenant_id, server_id }, message) =>
      onLog?.({ level: 'warn', message, tenant_id, server_id }),
  })
}
