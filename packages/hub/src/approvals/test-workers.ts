import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Tasks } from './test-approvals-process.ts'

/** A process that works on approvals when it is asked to. */
export interface Worker extends AsyncDisposable {
  process: ChildProcess
  run<K extends keyof Tasks>(task: K, ...args: Parameters<Tasks[K]>): ReturnType<Tasks[K]>
  /** Kill -9; resolves when it is gone and all that it had said has arrived. */
  kill(): Promise<void>
}

const program = fileURLToPath(new URL('./test-approvals-process.ts', import.meta.url))
let lastAsk = 0

export function startWorker(args: string[]): Worker {
  const child = fork(program, args, {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'ignore', 2, 'ipc'],
  })
  child.setMaxListeners(0)

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = [once(child, 'exit'), ...(child.connected ? [once(child, 'disconnect')] : [])]
    child.kill('SIGKILL')
    await Promise.all(gone)
  }

  return {
    process: child,
    run: (task, ...args) => ask(child, task, args),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

function ask<K extends keyof Tasks>(
  child: ChildProcess,
  task: K,
  args: Parameters<Tasks[K]>,
): ReturnType<Tasks[K]> {
  const own = ++lastAsk
  const answer = new Promise((resolve) => {
    child.on('message', function onMessage({ answer, value }: { answer: number; value: unknown }) {
      if (answer !== own) return
      child.off('message', onMessage)
      resolve(value)
    })
  })
  child.send({ ask: own, task, args })
  return answer as ReturnType<Tasks[K]>
}
