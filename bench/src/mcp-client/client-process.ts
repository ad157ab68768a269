import { join } from 'node:path'
import { startWorker, type Worker } from '../harness.ts'
import type { ClientKind, Order, Target } from './contract.ts'

export type ClientProcess = Worker<Order>

/** Starts a client and connects it to its server. */
export function startClient(kind: ClientKind, target: Target): Promise<ClientProcess> {
  const main = join(import.meta.dirname, 'client-main.ts')
  return startWorker(main, [kind, JSON.stringify(target)])
}
