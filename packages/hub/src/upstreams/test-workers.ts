import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMemoryKv, serveKv } from '@dataagent/store/kv'
import { createRedisScope } from '@dataagent/testkit'
import type { Tasks } from './test-worker.ts'

export interface Worker {
  readonly name: string
  readonly process: ChildProcess
  run<K extends keyof Tasks>(task: K, ...args: Parameters<Tasks[K]>): ReturnType<Tasks[K]>
  kill(): Promise<void>
}

/** Processes that share a KV that this one serves, and a Redis where there is one. */
export interface Stage extends AsyncDisposable {
  startWorker(name: string): Worker
}

export async function openStage({ hasRedis }: { hasRedis: boolean }): Promise<Stage> {
  const stack = new AsyncDisposableStack()
  const kv = stack.use(createMemoryKv())
  const scope = hasRedis ? stack.use(await createRedisScope()) : undefined
  const redis = scope ? [scope.url, scope.prefix] : []
  const program = fileURLToPath(new URL('./test-worker.ts', import.meta.url))
  return {
    startWorker(name) {
      const child = fork(program, [name, ...redis], {
        execArgv: ['--conditions=dataagent-source'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      serveKv({ kv, worker: child })
      const worker = toWorker(name, child)
      stack.defer(worker.kill)
      return worker
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function toWorker(name: string, child: ChildProcess): Worker {
  let lastAsk = 0
  return {
    name,
    process: child,
    run(task, ...args) {
      lastAsk += 1
      const answer = answerOf(child, lastAsk)
      child.send({ ask: lastAsk, task, args })
      return answer as ReturnType<Tasks[typeof task]>
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

function answerOf(child: ChildProcess, own: number): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  child.on('message', function onMessage({ answer, value }: { answer: number; value: unknown }) {
    if (answer !== own) return
    child.off('message', onMessage)
    resolve(value)
  })
  return promise
}
