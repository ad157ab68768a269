import { join } from 'node:path'
import { createDatabase, temporaryDirectory } from '@dataagent/testkit'
import type { StoreKind } from './bare-driver.ts'

/** An empty database, gone with `cleanup`; its URL. */
export async function makeDatabase(kind: StoreKind, cleanup: AsyncDisposableStack) {
  if (kind !== 'sqlite') return cleanup.use(await createDatabase(kind)).url
  const directory = cleanup.use(await temporaryDirectory())
  return `sqlite:${join(directory.path, 'bench.db')}`
}
