import { join } from 'node:path'
import {
  createAgentFactory,
  createSettings,
  createWorkspaces,
  type ExecuteContext,
} from '@dataagent/core'
import { person, startEngine } from '@dataagent/core/engine/test-engine'
import { createEgress } from '@dataagent/guard'
import type { Script } from '@dataagent/testkit'
import { ChatOpenAI } from '@langchain/openai'
import { type LangChainAgentConfig, withLangChain } from './with-langchain.ts'

/** A factory of agents on an engine, whose configuration may have parts of LangChain. */
export async function startFactory(script: Script) {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine({ script }))
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const settings = createSettings({ env: {}, egress, root: engine.dir })
  const workspaces = cleanup.use(createWorkspaces({ root: join(engine.dir, 'workspaces') }))
  const factory = createAgentFactory({ settings, hub: engine.hub, workspaces, egress })
  return {
    engine,
    chat: () =>
      new ChatOpenAI({
        ...{ model: 'standin', apiKey: engine.standIn.apiKey, useResponsesApi: false },
        configuration: { baseURL: `${engine.standIn.url}/v1` },
      }),
    /** A turn of an agent made of this configuration. */
    async say(config: Partial<LangChainAgentConfig>, context: Partial<ExecuteContext> = {}) {
      const { agent } = factory.createAgent(withLangChain({ assistant_id: 'helper', ...config }))
      const executor = engine.createExecutor({ agent })
      return Array.fromAsync(
        executor.execute('Go', engine.session_id, { principal: person, ...context }),
      )
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
