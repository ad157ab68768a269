import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { temporaryDirectory } from '@dataagent/testkit'
import { createSettings } from '../config/index.ts'
import { createMemoryStore } from '../memory/index.ts'
import { createWorkspaces } from '../workspaces/index.ts'
import { createAgentFactory } from './agent-factory.ts'
import type { AgentConfig, ExecuteContext } from './contract.ts'
import { collect, person, startEngine } from './test-engine.ts'

const assistant_id = 'helper'

/** A factory of agents on an engine, with all that an agent can have. */
export async function startFactory(env: Record<string, string> = {}) {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine())
  const { path } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const settings = createSettings({ env, egress, root: path })
  const workspaces = cleanup.use(createWorkspaces({ root: join(path, 'workspaces') }))
  const memory = cleanup.use(await createMemoryStore({ root: path }))
  const skillRoots = [join(path, 'skills')]
  const factory = createAgentFactory({
    ...{ settings, hub: engine.hub, workspaces, egress, memory, skillRoots },
  })
  return {
    ...{ engine, factory, workspaces, path },
    /** A turn of an agent made of this configuration, on the stand-in. */
    say(fields: Partial<AgentConfig>, context: Partial<ExecuteContext> = {}) {
      const { model } = engine.agent
      const { agent } = factory.createAgent({ assistant_id, model, ...fields })
      const executor = engine.createExecutor({ agent })
      return collect(executor.execute('Go', engine.session_id, { principal: person, ...context }))
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
