import { join } from 'node:path'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import type { HubStore } from '../hub-store.ts'

/** A database that goes away. The audit has a way of its own, so that it can be read after. */
export interface LeavingStore extends AsyncDisposable {
  store: HubStore
  leave(): Promise<void>
}

export async function openLeavingStore(): Promise<LeavingStore> {
  const cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const url = `sqlite:${join(path, 'away.db')}`
  const sql = cleanup.use(openSql({ url }))
  await sql.migrate()
  const forAudit = cleanup.use(openSql({ url }))
  return {
    store: { ...sql.hub, calls: forAudit.hub.calls },
    leave: sql.close,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
