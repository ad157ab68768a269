import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBinary, reportSkip } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { AgentMiddleware } from '../middleware/index.ts'
import type { AgentConfig } from './contract.ts'
import { collect, countingTool, of, person, textOf } from './test-engine.ts'
import { startFactory } from './test-factory.ts'

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)
const config = { assistant_id: 'helper' }

describe('an agent from its configuration', () => {
  test('has a backend, the model of the settings and the built-in tools [D4.1] [D4.2] [D4.3] [D8.1]', async () => {
    await using place = await startFactory({
      OPENAI_API_KEY: 'sk-x',
      DATAAGENT_MODEL: 'openai:gpt-5',
    })
    const { agent, backend } = place.factory.createAgent(config)
    expect(agent.model.name).toBe('openai:gpt-5')
    expect(backend).toMatchObject({ kind: 'workspace', workspaces: place.workspaces })
    expect(names(agent.tools)).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'edit_file', 'http_request', 'fetch_url']),
    )
    expect(names(agent.tools)).not.toContain('web_search')
    expect(agent.systemPrompt).toContain('TAVILY_API_KEY')
  })

  test('counts the cost by the price of the model that it is given', async () => {
    await using place = await startFactory()
    const { model } = place.factory.createAgent(config).agent
    const price = { prompt: 1, completion: 2 }
    const { agent } = place.factory.createAgent({ ...config, model: { ...model, price } })
    expect(agent.price).toEqual(price)
    expect(place.factory.createAgent({ ...config, model }).agent.price).toBeUndefined()
  })

  test('has web_search where there is a key for it [D8.1]', async () => {
    await using place = await startFactory({ TAVILY_API_KEY: 'tvly-x' })
    expect(names(place.factory.createAgent(config).agent.tools)).toContain('web_search')
  })

  const flags = {
    enable_memory: 'AgentMemoryMiddleware',
    enable_skills: 'SkillsMiddleware',
    enable_shell: 'ShellMiddleware',
  }

  test.each(Object.entries(flags))(
    'has by %s alone %s and neither of the others [D4.1] [D4.4] [D4.5]',
    async (flag, name) => {
      await using place = await startFactory()
      const off = { enable_memory: false, enable_skills: false, enable_shell: false }
      const made = (fields: object) =>
        names(place.factory.createAgent({ ...config, ...fields }).agent.middleware)
      const none = made(off)
      expect(none).toEqual(made({}))
      expect(made({ ...off, [flag]: true }).filter((each) => !none.includes(each))).toEqual([name])
      expect(none).not.toContain(name)
    },
  )

  test('asks nobody with auto_approve, and whoever is there without it [D4.1]', async () => {
    await using place = await startFactory()
    const asked: string[] = []
    const handler = {
      async requestApproval({ name }: { name: string }) {
        asked.push(name)
        return { type: 'reject', message: 'No.' } as const
      },
    }
    const send = countingTool('send', { approval: 'ask' })
    const say = (auto_approve: boolean) => {
      place.engine.standIn.script([{ toolCalls: [{ name: 'send', arguments: {} }] }, 'Sent.'])
      const approvals = { kind: 'handler', handler } as const
      return place.say({ extra_tools: [send], auto_approve }, { approvals })
    }
    expect(of(await say(true), 'tool_result')).toMatchObject([{ status: 'success' }])
    expect([asked, send.runs]).toEqual([[], [{}]])
    expect(of(await say(false), 'tool_result')).toMatchObject([{ outcome: 'rejected' }])
    expect([asked, send.runs]).toEqual([['send'], [{}]])
  })

  test('of an unknown kind of sandbox is an error [D4.6]', async () => {
    await using place = await startFactory()
    const make = (sandbox_type: string) => place.factory.createAgent({ ...config, sandbox_type })
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
    await using place = await startFactory()
    const make = () => place.factory.createAgent({ ...config, ...fields })
    expect(make).toThrow(expect.objectContaining({ code: 'config_invalid' }))
    expect(make).toThrow(told)
  })

  test('keeps its plan with the write_todos of a middleware, where one brings it [D7.5]', async () => {
    await using place = await startFactory()
    const own = countingTool('write_todos')
    const planning: AgentMiddleware = { name: 'planning', tools: [own] }
    place.engine.standIn.script([{ toolCalls: [{ name: 'write_todos', arguments: {} }] }, 'Done.'])
    const events = await place.say({ extra_middleware: [planning] })
    expect(of(events, 'tool_result')).toMatchObject([{ result: 'write_todos done' }])
    expect(own.runs).toHaveLength(1)
    expect(place.engine.standIn.requests[0]?.turns[0]?.text).not.toContain('write_todos')
  })

  test('is told what its system_prompt says, on every call of the model [D4.1]', async () => {
    await using place = await startFactory()
    const told = async (fields: Partial<AgentConfig>) => {
      place.engine.standIn.script([{ toolCalls: [{ name: 'extra', arguments: {} }] }, 'Done.'])
      const before = place.engine.standIn.requests.length
      await place.say({ extra_tools: [countingTool('extra')], ...fields })
      const asked = place.engine.standIn.requests.slice(before)
      return asked.map(({ turns }) => (turns[0]?.role === 'system' ? turns[0].text : ''))
    }
    const own = await told({ system_prompt: 'You write only in verse.' })
    expect(own).toHaveLength(2)
    for (const text of own) expect(text).toMatch(/^You write only in verse\./)
    expect((await told({}))[0]).not.toContain('verse')
  })

  test('takes extra tools and middlewares [D7.5] [D8.3]', async () => {
    await using place = await startFactory()
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

/** The shell is asked for a file beside the workspaces. */
async function readOutside(sandbox_type: string) {
  await using place = await startFactory()
  const file = join(place.path, 'outside.txt')
  await writeFile(file, 'the secret outside')
  place.engine.standIn.script([
    { toolCalls: [{ name: 'shell', arguments: { command: `cat ${file}; echo ran` } }] },
    'Done.',
  ])
  const events = await place.say(
    { enable_shell: true, sandbox_type },
    { approvals: { kind: 'everything', setting: 'test' } },
  )
  const [result] = of(events, 'tool_result')
  const told = place.engine.standIn.requests[1]?.turns.at(-1)?.toolResults[0]?.text
  expect(result).toMatchObject({ status: 'success', result: told })
  return told
}

if (await ensureBinary('bwrap', 'bubblewrap')) {
  test('the shell of an agent with the sandbox bubblewrap runs in it, and sees nothing outside [D4.6]', async () => {
    const told = await readOutside('bubblewrap')
    expect(told).toMatch(/ran\n\[exit code 0\]$/)
    expect(told).not.toContain('the secret outside')
  })
} else {
  reportSkip(import.meta.filename, 'bubblewrap is not here and cannot be installed')
}

test('the shell of an agent with the sandbox none runs without one, and says so [D4.6]', async () => {
  expect(await readOutside('none')).toBe('the secret outsideran\n[exit code 0, unsandboxed]')
})

test('the skills of its folders are in the prompt, and read_skill gives what they say [D7.3]', async () => {
  await using place = await startFactory()
  const folder = join(place.path, 'skills', 'brew-tea')
  await mkdir(folder, { recursive: true })
  const head = 'name: brew-tea\ndescription: How tea is made here.\nallowed-tools: shell'
  await writeFile(join(folder, 'SKILL.md'), `---\n${head}\n---\nWarm the pot first.\n`)
  place.engine.standIn.script([
    { toolCalls: [{ name: 'read_skill', arguments: { name: 'brew-tea' } }] },
    'It is made.',
  ])
  const events = await place.say({ enable_skills: true })
  const [first, second] = place.engine.standIn.requests
  expect(first?.turns[0]).toMatchObject({
    role: 'system',
    text: expect.stringContaining('- brew-tea: How tea is made here.'),
  })
  expect(JSON.stringify(first?.body)).not.toContain('Warm the pot')
  expect(of(events, 'tool_result')).toMatchObject([{ status: 'success' }])
  expect(second?.turns.at(-1)?.toolResults[0]?.text).toContain('Warm the pot first.')
})

test('without any key the demo model answers, says what it is, and uses tools [D6.4] [D5.6]', async () => {
  await using place = await startFactory()
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
