import { createMemoryKv } from '@dataagent/store/kv'
import type { AgentExecutor } from '../engine/index.ts'
import { startEngine, type TestEngine } from '../engine/test-engine.ts'
import {
  createRunLeases,
  createSessionManager,
  type SessionManager,
  type SessionStores,
} from '../session/index.ts'

/** Managers of two processes over one store and one KV, with real executors. */
export interface ManagedAgents extends AsyncDisposable {
  engine: TestEngine
  manager: SessionManager<AgentExecutor>
  elsewhere: SessionManager<AgentExecutor>
}

export async function manageAgents(
  [here, there]: readonly [SessionStores, SessionStores],
  model = 'standin',
): Promise<ManagedAgents> {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine({ model }))
  const kv = cleanup.use(createMemoryKv())
  const manage = ({ sessions, events, messages }: SessionStores) =>
    cleanup.use(
      createSessionManager<AgentExecutor>({
        ...{ store: sessions, log: events, messages, leases: createRunLeases({ kv }) },
        createExecutor: (_session, { leases }) => engine.createExecutor({ log: events, leases }),
      }),
    )
  return {
    ...{ engine, manager: manage(here), elsewhere: manage(there) },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
