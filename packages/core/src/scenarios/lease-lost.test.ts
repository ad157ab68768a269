import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, restAfter, resumeStart, toResumePoint } from '@dataagent/schema'
import {
  lastUserText,
  type Script,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { RunEvent, RunPoint } from '../engine/index.ts'
import {
  collect,
  countingTool,
  of,
  person,
  runSubAgent,
  startEngine,
  type TestEngineOptions,
  textOf,
} from '../engine/test-engine.ts'
import type { ApprovalPolicy } from '../hitl/index.ts'
import { type AgentMiddleware, createShellMiddleware } from '../middleware/index.ts'
import { createTaskTool } from '../tools/index.ts'
import { createFailingLog } from './test-failing-log.ts'
import { follow } from './test-follow.ts'
import { createLosableLeases } from './test-losable-leases.ts'
import { callsOnce, decidesBy, no, yes } from './test-words.ts'

const inbox: ApprovalPolicy = { kind: 'inbox' }
/** None of these may be logged by a run that has lost its session. */
const ended: ReadonlySet<string> = new Set(['tool_result', 'usage', 'error', 'done'])
const hangs = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', reject))

describe('a run whose lease is lost ends without a word, and another goes on with it', () => {
  test('while the model speaks', async () => {
    const text = 'It begins and goes on. '.repeat(20)
    await using scene = await begin({ script: [{ text, itl: 50 }, { text: 'All done.' }] })
    await scene.first.until('text', 2)
    await scene.lose()
    await waitFor(() => scene.engine.standIn.active() === 0)
    const rest = await scene.resume()
    expect(textOf(rest)).toBe('All done.')
    expect(rest.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })

  test('before a word of it is logged: a reader gets the other one whole', async () => {
    await using scene = await begin({
      script: [{ text: 'First words that go on. '.repeat(20), itl: 20 }, { text: 'All done.' }],
    })
    await scene.first.until('text', 3)
    await scene.lose()
    const { sql, session_id } = scene.engine
    const rows = await sql.events.read(session_id, { after: 0, limit: 10 })
    expect(rows.map(({ kind }) => kind)).toEqual(['user_message'])
    expect(readBy([...scene.first.events, ...(await scene.resume())])).toBe('All done.')
  })

  test('while a tool runs: what may have had its effect is not run again [F18]', async () => {
    const send = countingTool('send', { run: hangs })
    await using scene = await begin({ tools: [send], script: callsOnce(['send']) })
    await waitFor(() => send.runs.length === 1)
    await scene.lose()
    const rest = await scene.resume()
    expect(of(rest, 'tool_result')).toMatchObject([{ outcome: 'unknown_outcome' }])
    expect(rest.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(send.runs).toHaveLength(1)
  })

  test('while a command runs: it is killed', async () => {
    await using directory = await temporaryDirectory()
    const shell = createShellMiddleware({
      useFolder: (_, work) => work(directory.path),
      env: { PATH: '/usr/bin:/bin' },
      sandbox: { mode: 'off' },
    })
    const command = `echo begun > begun; sleep 30; echo effect > effect # ${directory.path}`
    const script: Script = (request) =>
      toolRounds(request) > 0
        ? { text: 'All done.' }
        : { toolCalls: [{ name: 'shell', arguments: { command } }] }
    await using scene = await begin({ agent: { middleware: [shell] }, script })
    await waitFor(() => exists(join(directory.path, 'begun')))
    await scene.lose()
    await waitFor(async () => (await findRunning(directory.path)) === undefined)
    expect(of(await scene.resume(), 'tool_result')).toMatchObject([{ outcome: 'unknown_outcome' }])
    expect(await exists(join(directory.path, 'effect'))).toBe(false)
  })

  test('while a person is asked: the question stays, and its answer counts', async () => {
    const send = countingTool('send', { approval: 'ask' })
    await using scene = await begin({ tools: [send], script: callsOnce(['send']) }, inbox)
    const [asked] = await scene.first.until('hitl_request')
    await scene.lose()
    const { hub } = scene.engine
    expect(await hub.approvals.get(person, asked!.approval_id)).toMatchObject({ status: 'pending' })
    const second = follow(scene.goOn())
    await hub.approvals.decide(person, asked!.approval_id, yes)
    expect((await second.ended).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(of(second.events, 'tool_result')).toMatchObject([{ outcome: 'ok' }])
    expect(send.runs).toHaveLength(1)
  })

  test('unknown to it, once it has used an approval: the other one uses that, and the tool runs once', async () => {
    await using scene = await beginApproved()
    const rest = await collect(scene.goOn())
    expect(of(rest, 'hitl_request')).toEqual([])
    expect(of(rest, 'tool_result')).toMatchObject([{ outcome: 'ok' }])
    const { engine, send } = scene
    expect((await scene.endFirst()).at(-1)).toMatchObject({ error_code: 'conflict' })
    const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
    expect(rows.filter(({ kind }) => kind === 'tool_started')).toHaveLength(1)
    expect(send.runs).toHaveLength(1)
  })

  test('the same where a middleware makes the call again: for that a person is asked', async () => {
    const twice: AgentMiddleware = {
      name: 'twice',
      async wrapToolCall(request, handler) {
        await handler(request)
        return handler(request)
      },
    }
    await using scene = await beginApproved({ agent: { middleware: [twice] } })
    const second = follow(scene.goOn())
    const [asked] = await second.until('hitl_request')
    expect(scene.send.runs).toHaveLength(1)
    await scene.engine.hub.approvals.decide(person, asked!.approval_id, no)
    expect((await second.ended).at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    await scene.endFirst()
    expect(scene.send.runs).toHaveLength(1)
  })

  test('while a handler asks: it is told to stop, and decides nothing', async () => {
    const send = countingTool('send', { approval: 'ask' })
    const handler = decidesBy(() => new Promise(() => {}))
    const asks: ApprovalPolicy = { kind: 'handler', handler }
    await using scene = await begin({ tools: [send], script: callsOnce(['send']) }, asks)
    const [asked] = await scene.first.until('hitl_request')
    await scene.lose()
    const { approvals } = scene.engine.hub
    expect(await approvals.get(person, asked!.approval_id)).toMatchObject({ status: 'pending' })
  })

  test('while a sub-agent asks a person: the question stays', async () => {
    const send = countingTool('send', { approval: 'ask' })
    const task = createTaskTool({
      runSubAgent: ({ prompt }, context) => runSubAgent(prompt, context),
    })
    const script: Script = (request) => {
      if (toolRounds(request) > 0) return { text: 'All done.' }
      const isTask = lastUserText(request) === 'Send it.'
      const args = isTask ? {} : { description: 'Send', prompt: 'Send it.' }
      return { toolCalls: [{ name: isTask ? 'send' : 'task', arguments: args }] }
    }
    await using scene = await begin({ tools: [send, task], script }, inbox)
    const [asked] = await scene.first.until('hitl_request')
    await scene.lose()
    const { approvals } = scene.engine.hub
    expect(await approvals.get(person, asked!.approval_id)).toMatchObject({ status: 'pending' })
    expect(of(await scene.resume(), 'tool_result')).toMatchObject([{ outcome: 'unknown_outcome' }])
    expect(send.runs).toEqual([])
  })

  test('while the log is away: it does not wait for it', async () => {
    const error = new AppError('store_unavailable', 'The database is away.')
    const quick = countingTool('quick')
    const script: Script = callsOnce(['quick'])
    await using scene = await begin({ tools: [quick], script })
    scene.log.failAt('tool_result', { error, times: 100 })
    await waitFor(() => scene.log.failures > 0)
    await scene.lose()
    expect((await scene.resume()).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    expect(quick.runs).toHaveLength(1)
  })
})

/** The process stands still between the use of its approval and the start of the tool. */
async function beginApproved(options: TestEngineOptions = {}) {
  const reached = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const send = countingTool('send', { approval: 'ask' })
  async function probe(point: RunPoint): Promise<void> {
    if (point !== 'call_admitted') return
    reached.resolve()
    await over.promise
  }
  const script = callsOnce(['send'])
  const scene = await begin({ ...options, tools: [send], script, probe }, inbox)
  const { engine, first } = scene
  const [asked] = await first.until('hitl_request')
  await engine.hub.approvals.decide(person, asked!.approval_id, yes)
  await reached.promise
  return {
    ...{ ...scene, send },
    endFirst() {
      over.resolve()
      return first.ended
    },
  }
}

interface Beginning extends TestEngineOptions {
  /** Of the first run. */
  probe?: (point: RunPoint) => Promise<void>
}

async function begin({ probe, ...options }: Beginning, approvals?: ApprovalPolicy) {
  const engine = await startEngine(options)
  const leases = createLosableLeases()
  const log = createFailingLog(engine.sql.events)
  const faults: unknown[] = []
  const onError = (error: unknown) => void faults.push(error)
  const context = { principal: person, approvals }
  const { session_id } = engine
  const executor = engine.createExecutor({ leases, log, onError, probe })
  const first = follow(executor.execute('Go', session_id, context))
  const goOn = () => engine.createExecutor().resume(session_id, context)
  return {
    ...{ engine, log, first, goOn },
    async lose() {
      leases.lose()
      const events = await first.ended
      expect([...of(events, 'done'), ...of(events, 'error'), ...faults]).toEqual([])
      const rows = await engine.sql.events.read(session_id, { after: 0, limit: 100 })
      expect(rows.filter(({ kind }) => ended.has(kind))).toEqual([])
    },
    resume: () => collect(goOn()),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A process whose command line has the text. */
async function findRunning(text: string): Promise<string | undefined> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    if (line.includes(text)) return pid
  }
  return undefined
}

/** The text of one who takes each event by its place. */
function readBy(events: readonly RunEvent[]): string {
  let point = resumeStart
  let said = ''
  for (const event of events) {
    const rest = restAfter(event, point) as RunEvent | undefined
    if (rest === undefined) continue
    point = toResumePoint(rest)
    if (rest.event_type === 'text') said = rest.restarts ? rest.content : said + rest.content
  }
  return said
}
