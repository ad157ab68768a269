import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface StandIn extends AsyncDisposable {
  url: string
}

/** Starts a server that does nothing but answer, so that what it costs is not measured. */
export async function startStandIn(): Promise<StandIn> {
  const child = fork(join(import.meta.dirname, 'stand-in-main.ts'), {
    execArgv: ['--conditions=dataagent-source'],
  })
  const ended = once(child, 'exit')
  const [port] = await Promise.race([once(child, 'message'), ended])
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}
