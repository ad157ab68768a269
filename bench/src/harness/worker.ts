import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Spent } from './benchmark.ts'

/** A process that says `ready`, and then answers each order with what it has spent. */
export interface Worker<Order> extends AsyncDisposable {
  run(order: Order): Promise<Spent>
}

/** Starts one, so that the CPU it spends is its own. It ends when this process disconnects. */
export async function startWorker<Order extends object>(
  main: string,
  args: readonly string[],
): Promise<Worker<Order>> {
  const execArgv = ['--conditions=dataagent-source', '--expose-gc']
  const child = fork(main, args, { execArgv })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${main} ended: ${code ?? signal}`)
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
      child.disconnect()
      await ended.catch(() => {})
    },
  }
}
