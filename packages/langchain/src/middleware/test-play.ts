import type { AgentMiddleware, ExecuteContext } from '@dataagent/core'
import { of, startEngine, type TestEngine, textOf } from '@dataagent/core/engine/test-engine'
import type { OwnTool } from '@dataagent/hub'
import type { AppError } from '@dataagent/schema'
import type { Script } from '@dataagent/testkit'
import type { LangChainMiddleware } from './contract.ts'
import { fromLangChainMiddleware } from './from-langchain-middleware.ts'

export interface Scene {
  script?: Script
  tools?: readonly OwnTool[]
  says?: readonly string[]
  extra?: ExecuteContext['extra']
  signal?: AbortSignal
  /** Made with the engine, for those that need its model. */
  middleware: (engine: Pick<TestEngine, 'standIn'>) => readonly LangChainMiddleware[]
}

/** What middlewares of LangChain do to runs of our engine. */
export async function play({ middleware, says = ['Go'], extra, signal, ...scene }: Scene) {
  const list: AgentMiddleware[] = []
  const faults: AppError[] = []
  await using engine = await startEngine({
    script: scene.script ?? (() => 'Done.'),
    tools: scene.tools ?? [],
    agent: { middleware: list },
    executor: { onError: (error) => faults.push(error as AppError) },
  })
  list.push(...middleware(engine).map((one) => fromLangChainMiddleware(one)))
  const executor = engine.createExecutor()
  const events = []
  for (const text of says) {
    const principal = { tenant_id: 'default', user_id: 'ada', role: 'user' } as const
    const context = { principal, extra, signal }
    events.push(await Array.fromAsync(executor.execute(text, engine.session_id, context)))
  }
  const all = events.flat()
  const requests = [...engine.standIn.requests]
  return {
    ...{ events: all, requests, faults, text: textOf(events.at(-1) ?? []) },
    results: of(all, 'tool_result'),
    error: of(all, 'error')[0],
    /** What each request held: the system prompt first. */
    asked: requests.map(({ turns }) =>
      turns.map(({ text, toolResults }) => toolResults[0]?.text ?? text),
    ),
    offered: requests.map(({ tools }) => tools.map(({ name }) => name)),
  }
}

export const calls = (name: string, args: Record<string, unknown> = {}) => ({
  toolCalls: [{ name, arguments: args }],
})
