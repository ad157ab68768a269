import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface KnownServer extends AsyncDisposable {
  baseUrl: string
}

/** Starts a process that answers after so many drawn times, one after the other. */
export async function startKnownServer(
  distribution: 'lognormal' | 'bimodal',
  count: number,
): Promise<KnownServer> {
  const child = fork(
    join(import.meta.dirname, 'test-known-server-main.ts'),
    [distribution, `${count}`],
    { execArgv: ['--conditions=dataagent-source'] },
  )
  const ended = once(child, 'exit')
  const [baseUrl] = await Promise.race([once(child, 'message'), ended])
  return {
    baseUrl,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}
