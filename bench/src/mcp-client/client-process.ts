import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Spent } from '../harness.ts'
import type { ClientKind, Order, Target } from './contract.ts'

export interface ClientProcess extends AsyncDisposable {
  run(order: Order): Promise<Spent>
}

/** Starts a client and connects it to its server. */
export async function startClient(kind: ClientKind, target: Target): Promise<ClientProcess> {
  const main = join(import.meta.dirname, 'client-main.ts')
  const execArgv = ['--conditions=dataagent-source', '--expose-gc']
  const child = fork(main, [kind, JSON.stringify(target)], { execArgv })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The client ${kind} ended: ${code ?? signal}`)
  })
  ended.catch(() => {})
  const answer = async () => (await Promise.race([once(child, 'message'), ended]))[0]
  await answer()
  return {
    run(order) {
      const spent = answer()
      child.send(order)
      return spent
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended.catch(() => {})
    },
  }
}
