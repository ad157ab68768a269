import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/**
 * For vitest's `globalSetup`: the workers of a run share one server of each kind, which ends with
 * the run. A run inside a run uses the outer one's servers. It imports nothing of ours: vitest runs
 * it without the source condition.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.DATAAGENT_TESTKIT_BROKER) return undefined
  const program = fileURLToPath(new URL('./broker-process.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=dataagent-source', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const [url] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The broker of test services ended at its start with ${code}`)
    }),
  ])
  process.env.DATAAGENT_TESTKIT_BROKER = url
  return async () => {
    delete process.env.DATAAGENT_TESTKIT_BROKER
    const exit = once(child, 'exit')
    child.stdin.end()
    await exit
  }
}
