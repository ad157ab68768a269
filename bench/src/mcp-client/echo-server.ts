import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Target } from './contract.ts'

export interface EchoServer extends AsyncDisposable {
  url: string
}

/** Starts the echo server that is reached by HTTP, in a process of its own. */
export async function startEchoServer(): Promise<EchoServer> {
  const child = fork(join(import.meta.dirname, 'echo-http-main.ts'))
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The echo server that each client starts for itself. */
export function echoOverStdio(): Target {
  const main = join(import.meta.dirname, 'echo-stdio-main.ts')
  return { wire: 'stdio', command: process.execPath, args: [main] }
}
