import { createHash } from 'node:crypto'
import type { CheckpointHistory } from '@dataagent/schema'
import type { Transaction } from 'kysely'
import type { Engine } from '../engine.ts'
import { assertId } from '../ids.ts'
import type { Database } from '../tables.ts'
import { upsert } from './upsert.ts'

/**
 * One short key for tenant, thread and namespace together: namespaces grow with the depth of
 * graphs in graphs, past what MySQL takes in an index.
 */
export function toHistoryId({ tenant_id, thread_id, checkpoint_ns }: CheckpointHistory): string {
  assertThread(tenant_id, thread_id)
  const key = JSON.stringify([tenant_id, thread_id, checkpoint_ns])
  return createHash('sha256').update(key).digest('base64url')
}

export function assertThread(tenant_id: string, thread_id: string): void {
  if (tenant_id !== '') assertId('tenant_id', tenant_id)
  assertId('thread_id', thread_id)
}

/** Makes the history where it is new; nobody else writes to it until the transaction ends. */
export async function holdHistory(
  transaction: Transaction<Database>,
  kind: Engine['kind'],
  { tenant_id, thread_id, checkpoint_ns }: CheckpointHistory,
): Promise<string> {
  const history_id = toHistoryId({ tenant_id, thread_id, checkpoint_ns })
  const rows = [{ history_id, tenant_id, thread_id, checkpoint_ns }]
  const same = { key: ['history_id'], set: ['history_id'] } as const
  await upsert({ transaction, kind }, 'checkpoint_histories', { rows, ...same })
  return history_id
}
