import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApprovalPolicy, createWorkspaces } from '@dataagent/core'
import { of, person, startEngine, textOf } from '@dataagent/core/engine/test-engine'
import { decidesBy, no, yes } from '@dataagent/core/scenarios/test-words'
import {
  lastUserText,
  type MessageReply,
  type RecordedRequest,
  temporaryDirectory,
  toolRounds,
} from '@dataagent/testkit'
import { tool } from '@langchain/core/tools'
import { createDeepAgent } from 'deepagents'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { makerOf } from '../executor/test-makers.ts'
import { type DeepAgentOptions, toDeepAgent } from './to-deep-agent.ts'

type Calls = NonNullable<MessageReply['toolCalls']>

test('DeepAgents writes into the user’s workspace, as events with their diff [D8.2]', async () => {
  await using scene = await startDeepAgent(
    playing([
      [{ name: 'write_file', arguments: { file_path: '/notes.txt', content: 'one\n' } }],
      [{ name: 'edit_file', arguments: { file_path: '/notes.txt', ...oneToTwo } }],
      [{ name: 'read_file', arguments: { file_path: '/notes.txt' } }],
    ]),
  )
  const events = await scene.say('Go')
  expect(of(events, 'tool_result').map(({ status }) => status)).toEqual([
    ...['success', 'success', 'success'],
  ])
  const changes = of(events, 'file_operation').filter(({ diff }) => diff !== '')
  expect(changes.map(({ diff }) => diff)).toEqual([
    expect.stringContaining('+one'),
    expect.stringContaining('-one\n+two'),
  ])
  expect(await scene.files('notes.txt')).toBe('two\n')
  expect(textOf(events)).toContain('Done.')
  await scene.engine.hub.audit.flush()
  const admin = { ...person, role: 'admin' } as const
  const rows = await scene.engine.hub.audit.query(admin, { limit: 10, offset: 0 })
  expect(rows.map(({ tool_name }) => tool_name).toSorted()).toEqual([
    ...['edit_file', 'read_file', 'write_file'],
  ])
})

test('it cannot leave the workspace', async () => {
  await using scene = await startDeepAgent(
    playing(
      ['/../secret.txt', '../../secret.txt', '/etc/passwd', '/way-out/secret.txt'].map(
        (file_path) => [
          { name: 'read_file', arguments: { file_path } },
          { name: 'write_file', arguments: { file_path, content: 'changed' } },
        ],
      ),
    ),
  )
  await scene.plant()
  const events = await scene.say('Go')
  expect(of(events, 'tool_result')).toHaveLength(8)
  expect(JSON.stringify(events)).not.toContain('the secret of the house')
  expect(JSON.stringify(events)).not.toContain('root:x:0')
  expect(await readFile(join(scene.dir, 'secret.txt'), 'utf8')).toBe('the secret of the house')
})

test('execute asks, and a no ends the run [D7.4]', async () => {
  await using scene = await startDeepAgent(
    playing([[{ name: 'execute', arguments: { command: 'echo hi > made.txt' } }]]),
    { shell: true, sandbox: { mode: 'preferred' } },
  )
  const asked: unknown[] = []
  const deciding = (decision: typeof yes) => ({
    kind: 'handler' as const,
    handler: decidesBy((name, args) => {
      asked.push([name, args])
      return decision
    }),
  })
  const refused = await scene.say('Go', deciding(no))
  expect(refused.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  expect(asked).toEqual([['execute', { command: 'echo hi > made.txt' }]])
  await expect(scene.files('made.txt')).rejects.toThrow()
  const allowed = await scene.say('Go', deciding(yes))
  expect(of(allowed, 'tool_result')).toMatchObject([{ status: 'success' }])
  expect(await scene.files('made.txt')).toBe('hi\n')
})

test('its sub-agents are governed, and what they do is told as theirs', async () => {
  const sent: string[] = []
  const send = tool(
    async ({ to }: { to: string }) => {
      sent.push(to)
      return `Sent to ${to}`
    },
    { name: 'send', description: 'Sends.', schema: z.object({ to: z.string() }) },
  )
  const script = (request: RecordedRequest): MessageReply => {
    const isHelper = lastUserText(request).startsWith('Send')
    if (toolRounds(request) > 0) return { text: isHelper ? 'It was sent.' : 'Done.' }
    if (isHelper)
      return { text: 'I send.', toolCalls: [{ name: 'send', arguments: { to: 'bob' } }] }
    const description = 'Send it to bob.'
    const task = { description, subagent_type: 'general-purpose' }
    return { toolCalls: [{ name: 'task', arguments: task }] }
  }
  await using scene = await startDeepAgent(script, {
    tools: [send],
    toolOptions: (name) => (name === 'send' ? { approval: 'ask' } : undefined),
  })
  const asked: string[] = []
  const handler = decidesBy((name) => {
    asked.push(name)
    return yes
  })
  const events = await scene.say('Go', { kind: 'handler', handler })
  expect(asked).toEqual(['send'])
  expect(sent).toEqual(['bob'])
  const [task] = of(events, 'tool_call').filter(({ tool_name }) => tool_name === 'task')
  const inner = events.filter((event) => 'parent_tool_call_id' in event)
  expect(inner).toEqual(inner.map(() => expect.objectContaining(partOf(task))))
  expect(inner.map(({ event_type }) => event_type)).toEqual(
    expect.arrayContaining(['user_message', 'text', 'tool_call', 'tool_result']),
  )
  const [answer] = of(events, 'tool_result').filter(
    ({ tool_call_id }) => tool_call_id === task?.tool_call_id,
  )
  expect(answer?.result).toBe('It was sent.')
  expect(textOf(events.filter((event) => !inner.some((one) => one === event)))).toBe('Done.')
})

test('its sub-agents leave nothing in the store when a turn has ended', async () => {
  const script = (request: RecordedRequest): MessageReply => {
    if (lastUserText(request) === 'Help.') return { text: 'I helped.' }
    if (request.turns.at(-1)?.role !== 'user') return { text: 'Done.' }
    const task = { description: 'Help.', subagent_type: 'general-purpose' }
    return { toolCalls: [{ name: 'task', arguments: task }] }
  }
  await using scene = await startDeepAgent(script)
  const { sql, session_id } = scene.engine
  for (const input of ['One', 'Two', 'Three']) {
    expect(of(await scene.say(input), 'error')).toEqual([])
    expect(await sql.checkpoints.namespaces('', session_id)).toEqual([''])
  }
})

test('a no to what a sub-agent wants ends the whole run', async () => {
  const script = (request: RecordedRequest): MessageReply => {
    if (lastUserText(request).startsWith('Write'))
      return { toolCalls: [{ name: 'write_file', arguments: { file_path: '/a', content: 'a' } }] }
    const task = { description: 'Write it.', subagent_type: 'general-purpose' }
    return { toolCalls: [{ name: 'task', arguments: task }] }
  }
  await using scene = await startDeepAgent(script, {
    toolOptions: (name) => (name === 'write_file' ? { approval: 'ask' } : undefined),
  })
  const handler = decidesBy(() => no)
  const events = await scene.say('Go', { kind: 'handler', handler })
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
  await expect(scene.files('a')).rejects.toThrow()
  scene.engine.standIn.script([{ text: 'Still here.' }])
  expect(textOf(await scene.say('And now?'))).toBe('Still here.')
})

const partOf = (call: { tool_call_id: string } | undefined) => ({
  parent_tool_call_id: call?.tool_call_id,
})

const oneToTwo = { old_string: 'one', new_string: 'two' }

/** A model that makes these calls, a list a turn, and then says that it is done. */
function playing(rounds: readonly Calls[]) {
  return (request: RecordedRequest): MessageReply => {
    const calls = rounds[toolRounds(request)]
    return calls ? { toolCalls: calls } : { text: 'Done.' }
  }
}

type SceneOptions = Partial<DeepAgentOptions> & {
  toolOptions?: (name: string) => { approval: 'ask' } | undefined
}

async function startDeepAgent(
  script: (request: RecordedRequest) => MessageReply,
  { toolOptions, ...own }: SceneOptions = {},
) {
  const cleanup = new AsyncDisposableStack()
  const dir = cleanup.use(await temporaryDirectory()).path
  const workspaces = cleanup.use(createWorkspaces({ root: join(dir, 'workspaces') }))
  const maker = makerOf(
    (parts) => createDeepAgent(toDeepAgent(parts, { ...own, workspaces }) as never),
    {
      toolOptions,
    },
  )
  const engine = cleanup.use(await startEngine({ dir, script, maker }))
  const owner = { tenant_id: person.tenant_id, user_id: 'ada' }
  const folder = () => workspaces.use(owner, async (_, live) => live)
  return {
    ...{ engine, dir },
    files: async (path: string) => readFile(join(await folder(), path), 'utf8'),
    /** A secret beside the workspaces, and a link that leads there. */
    async plant() {
      await writeFile(join(dir, 'secret.txt'), 'the secret of the house')
      await symlink(dir, join(await folder(), 'way-out'))
    },
    say: (input: string, approvals?: ApprovalPolicy) =>
      engine.say(input, approvals ? { approvals } : {}),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
