import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createSettings } from '../config/index.ts'
import { createMemoryStore } from '../memory/index.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { createWorkspaces } from '../workspaces/index.ts'
import { createAgentFactory } from './agent-factory.ts'
import { collect, countingTool, of, person, startEngine, textOf } from './test-engine.ts'

async function setUp(env: Record<string, string> = {}) {
  const cleanup = new AsyncDisposableStack()
  const engine = cleanup.use(await startEngine())
  const { path } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const settings = createSettings({ env, egress, root: path })
  const workspaces = cleanup.use(createWorkspaces({ root: join(path, 'workspaces') }))
  const memory = cleanup.use(await createMemoryStore({ root: path }))
  const factory = createAgentFactory({ settings, hub: engine.hub, workspaces, egress, memory })
  return { engine, factory, workspaces, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
const config = { assistant_id: 'helper' }

describe('an agent from its configuration', () => {
  test('has a backend, the model of the settings and the built-in tools [D4.1] [D4.2] [D4.3] [D8.1]', async () => {
    await using place = await setUp({ OPENAI_API_KEY: 'sk-x', DATAAGENT_MODEL: 'openai:gpt-5' })
    const { agent, backend } = place.factory.createAgent(config)
    expect(agent.model.name).toBe('openai:gpt-5')
    expect(backend).toMatchObject({ kind: 'workspace', workspaces: place.workspaces })
    expect(names(agent.tools)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'edit_file', 'http_request', 'fetch_url']),
    )
    expect(names(agent.tools)).not.toContain('web_search')
    expect(agent.systemPrompt).toContain('TAVILY_API_KEY')
  })

  test('has web_search where there is a key for it [D8.1]', async () => {
    await using place = await setUp({ TAVILY_API_KEY: 'tvly-x' })
    expect(names(place.factory.createAgent(config).agent.tools)).toContain('web_search')
  })

  test('has memory, skills and shell only where they are enabled [D4.4] [D4.5]', async () => {
    await using place = await setUp()
    const enabled = { enable_memory: true, enable_skills: true, enable_shell: true }
    const all = place.factory.createAgent({ ...config, ...enabled }).agent.middleware
    const none = place.factory.createAgent(config).agent.middleware
    const three = ['AgentMemoryMiddleware', 'SkillsMiddleware', 'ShellMiddleware']
    expect(names(all)).toEqual(expect.arrayContaining(three))
    for (const name of three) expect(names(none)).not.toContain(name)
  })

  test('has the sandbox of its kind as backend; an unknown kind is an error [D4.6]', async () => {
    await using place = await setUp()
    const make = (sandbox_type: string) => place.factory.createAgent({ ...config, sandbox_type })
    expect(make('bubblewrap').backend).toMatchObject({ sandbox: { mode: 'required' } })
    expect(() => make('docker')).toThrow(
      'There is no sandbox "docker". There are: bubblewrap, none.',
    )
  })

  test.each([
    [{ max_turns: 0 }, 'max_turns'],
    [{ max_turns: Number.NaN }, 'max_turns'],
    [{ tool_mode: 'bogus' as never }, 'tool_mode'],
    [{ assistant_id: '' }, 'assistant_id'],
    [{ sandbox_type: 'workspace' }, 'workspace'],
    [{ extra_tools: [countingTool('read_file')] }, 'two tools named read_file'],
  ])('is refused where it cannot be: %#', async (fields, told) => {
    await using place = await setUp()
    const make = () => place.factory.createAgent({ ...config, ...fields })
    expect(make).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    expect(make).toThrow(told)
  })

  test('takes extra tools and middlewares [D7.5] [D8.3]', async () => {
    await using place = await setUp()
    const extra = countingTool('extra')
    const seen: string[] = []
    const middleware: AgentMiddleware = {
      name: 'mine',
      beforeModel() {
        seen.push('beforeModel')
        return undefined
      },
    }
    const { agent } = place.factory.createAgent({
      ...{ ...config, extra_tools: [extra], extra_middleware: [middleware] },
      model: place.engine.agent.model,
    })
    place.engine.standIn.script([
      { toolCalls: [{ name: 'extra', arguments: {} }] },
      { text: 'Done.' },
    ])
    const executor = place.engine.createExecutor({ agent })
    const context = { principal: person }
    const events = await collect(executor.execute('Go', place.engine.session_id, context))
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(extra.runs).toHaveLength(1)
    expect(seen).toEqual(['beforeModel', 'beforeModel'])
  })
})

test('without any key the demo model answers, says what it is, and uses tools [D6.4]', async () => {
  await using place = await setUp()
  const { agent } = place.factory.createAgent(config)
  expect(agent.model.name).toMatch(/^demo/)
  const executor = place.engine.createExecutor({ agent })
  const say = (text: string) =>
    collect(executor.execute(text, place.engine.session_id, { principal: person }))
  expect(textOf(await say('Hello'))).toMatch(/demo/i)
  const events = await say('use the write_file tool with path=files/note.txt content="tea at five"')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'success' }])
  expect(of(events, 'file_operation')).toMatchObject([
    { operation: 'write', path: 'files/note.txt', additions: 1 },
  ])
})
