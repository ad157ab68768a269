import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface KnownServer extends AsyncDisposable {
  baseUrl: string
  pid: number
  /** How long it has waited before its answers: longer than drawn where the machine is busy. */
  served(): Promise<number[]>
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
    ...{ baseUrl, pid: Number(child.pid) },
    async served() {
      const answer = once(child, 'message')
      child.send('served')
      const [times] = await answer
      return times
    },
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}
