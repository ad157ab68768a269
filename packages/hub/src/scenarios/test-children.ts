import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ChildOptions, Tasks } from './test-child-hub.ts'

/** A hub in a process of its own. */
export interface ChildHub extends AsyncDisposable {
  run<K extends keyof Tasks>(task: K, ...args: Parameters<Tasks[K]>): ReturnType<Tasks[K]>
  /** Kill -9; resolves when it is gone. */
  kill(): Promise<void>
}

const program = fileURLToPath(new URL('./test-child-hub.ts', import.meta.url))

/** Starts one; resolves when its hub has started. */
export async function startChildHub(options: ChildOptions): Promise<ChildHub> {
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: ['--conditions=dataagent-source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.setMaxListeners(0)
  await answerOf(child, 0)
  let lastAsk = 0

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  return {
    run(task, ...args) {
      lastAsk += 1
      const answer = answerOf(child, lastAsk)
      child.send({ ask: lastAsk, task, args })
      return answer as ReturnType<Tasks[typeof task]>
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

interface Answer {
  answer?: number
  value?: unknown
  failed?: string
}

function answerOf(child: ChildProcess, own: number): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onExit = () => reject(new Error('The child has ended.'))
  const onMessage = ({ answer, value, failed }: Answer) => {
    if (answer !== own) return
    child.off('message', onMessage).off('exit', onExit)
    if (failed === undefined) resolve(value)
    else reject(new Error(failed))
  }
  child.on('message', onMessage).once('exit', onExit)
  promise.catch(() => {})
  return promise
}
