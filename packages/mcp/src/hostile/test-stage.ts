import { setTimeout as sleep } from 'node:timers/promises'
import type { HostileKnobs, HostileMode, HostileTransport } from '@dataagent/testkit'
import type { McpManager, McpServerConfig } from '../manager/contract.ts'
import { createMcpManager } from '../manager/manager.ts'
import { createHostileInn, type Hostile, startHostile } from './test-hostile.ts'

export type HostileEra = NonNullable<HostileKnobs['era']>

/** A manager with a good server, `good`, beside which a hostile one, `bad`, comes and goes. */
export interface Stage extends AsyncDisposable {
  readonly manager: McpManager
  /** Starts a hostile server without adding it. */
  invite(mode: HostileMode, knobs?: HostileKnobs): Promise<Hostile>
  add(hostile: Hostile, config?: Partial<McpServerConfig>): Promise<void>
}

export async function openStage(transport: HostileTransport, era: HostileEra): Promise<Stage> {
  const manager = createMcpManager()
  const inn = await createHostileInn(transport)
  const good = await startHostile(transport, 'none', { era })
  await manager.addServer(good.config('good'))
  return {
    manager,
    invite: (mode, knobs) => inn.invite(mode, { ...knobs, era }),
    add: (hostile, config = {}) => manager.addServer({ ...hostile.config('bad'), ...config }),
    async [Symbol.asyncDispose]() {
      await manager.disconnectAll()
      await good[Symbol.asyncDispose]()
      await inn[Symbol.asyncDispose]()
    },
  }
}

/** How the good server fared while something else went on. */
export interface Fared {
  calls: number
  slowestMs: number
  failures: unknown[]
}

/** Calls the good server over and over until `stop`. */
export function keepCalling(manager: McpManager): { stop(): Promise<Fared> } {
  const stopping = new AbortController()
  const fared: Fared = { calls: 0, slowestMs: 0, failures: [] }

  async function run(): Promise<Fared> {
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      const message = `call ${fared.calls}`
      const text = await manager.callTool('mcp.good.echo', { message }).catch((error) => error)
      if (text !== message) fared.failures.push(text)
      fared.calls += 1
      fared.slowestMs = Math.max(fared.slowestMs, performance.now() - begun)
      await sleep(5, undefined, { signal: stopping.signal }).catch(() => {})
    }
    return fared
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      return running
    },
  }
}
