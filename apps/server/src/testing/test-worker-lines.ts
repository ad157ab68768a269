import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitFor } from '@dataagent/testkit'
import { keyOf, type Person } from './test-platform.ts'
import type { TestWorkers } from './test-workers.ts'

/** A kept connection to one worker: whatever is asked on it, that worker answers. */
export interface WorkerLine extends Disposable {
  /** The text of the answer from a path under /api/v1. */
  ask(method: string, path: string, json?: unknown, as?: Person): Promise<string>
  /** What its metric says, over all samples that have `label`. */
  count(metric: string, label?: string): Promise<number>
}

/** A line to each of two workers. */
export async function openLines(workers: TestWorkers): Promise<[WorkerLine, WorkerLine]> {
  const found = new Map<string, WorkerLine>()
  const look = async () => {
    const line = openLine(workers)
    const worker = /worker="([^"]+)"/.exec(await line.ask('GET', '/metrics', undefined, 'operator'))
    const name = worker?.[1] ?? ''
    if (found.has(name)) line[Symbol.dispose]()
    else found.set(name, line)
  }
  return waitFor(
    async () => {
      await Promise.all(Array.from({ length: 8 }, look))
      const [one, other] = found.values()
      return one && other ? [one, other] : undefined
    },
    { timeoutMs: 30_000, what: 'a line to each worker' },
  )
}

function openLine({ url }: TestWorkers): WorkerLine {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  const ask: WorkerLine['ask'] = (method, path, json, as = 'ada') =>
    new Promise((resolve, reject) => {
      const type = json === undefined ? {} : { 'content-type': 'application/json' }
      const headers = { 'x-api-key': keyOf(as), ...type }
      const asked = request(`${url}/api/v1${path}`, { agent, method, headers })
      asked.on('response', (response) => void text(response).then(resolve, reject))
      asked.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
    })

  return {
    ask,
    async count(metric, label = '') {
      const lines = (await ask('GET', '/metrics', undefined, 'operator')).split('\n')
      return lines
        .filter((line) => line.startsWith(`dataagent_${metric}{`) && line.includes(label))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    [Symbol.dispose]: () => agent.destroy(),
  }
}
