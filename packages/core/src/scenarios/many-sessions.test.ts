import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { lastUserText, longCount, toolRounds } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { AgentExecutor } from '../engine/index.ts'
import {
  collect,
  countingTool,
  loadConversation,
  of,
  person,
  startEngine,
  type TestEngine,
  textOf,
} from '../engine/test-engine.ts'
import { createRunLeases } from '../session/index.ts'
import { follow } from './test-follow.ts'
import { decidesBy, yes } from './test-words.ts'

const sessions = longCount(50, 500)
const turns = 3

await describeSql('many sessions and processes', (subject) => {
  test(`${sessions} sessions at once, ${turns} turns each: nothing is mixed and nothing is lost [D23.4]`, async () => {
    const tool = countingTool('send', { approval: 'ask' })
    await using engine = await start([tool])
    const ids = await Promise.all(Array.from({ length: sessions }, engine.createSession))
    const begun = performance.now()
    await Promise.all(ids.map((session_id) => converse(engine, session_id)))
    const perSecond = (1_000 * sessions * turns) / (performance.now() - begun)
    console.info(
      `${sessions} sessions at once on ${subject().kind}: ${Math.round(perSecond)} turns/s`,
    )
    expect(tool.runs).toHaveLength(sessions * turns)
    expect(new Set(tool.runs.map((args) => JSON.stringify(args))).size).toBe(sessions * turns)
    for (const session_id of ids) await expectOwn(engine, session_id)
    expect(engine.standIn.active()).toBe(0)
  }, 120_000)

  test('of two processes that share leases one runs, and the other is told to wait [D23.5]', async () => {
    const gate = Promise.withResolvers<string>()
    const tool = countingTool('send', { run: () => gate.promise })
    await using engine = await start([tool])
    await using kv = createMemoryKv()
    const [first, second] = [1, 2].map(() =>
      engine.createExecutor({ leases: createRunLeases({ kv }) }),
    )
    const run = follow(first!.execute('one', engine.session_id, { principal: person }))
    await run.until('tool_started')
    const refused = await turn(second!, engine.session_id, 'two')
    expect(refused).toMatchObject([{ event_type: 'error', error_code: 'unavailable' }])
    gate.resolve('ready')
    expect(textOf(await run.ended)).toBe('Heard: one')
    expect(textOf(await turn(second!, engine.session_id, 'two'))).toBe('Heard: two')
    expect(textOf(await turn(first!, engine.session_id, 'three'))).toBe('Heard: three')
    expect(await saidIn(engine, engine.session_id)).toEqual(['one', 'two', 'three'])
  })

  test('of two processes that know nothing of each other one at most goes on, and the log stays whole [D23.5]', async () => {
    await using engine = await start([countingTool('send')])
    for (let i = 0; i < 10; i += 1) {
      const session_id = await engine.createSession()
      const executors = [engine.createExecutor(), engine.createExecutor()]
      const ended = await Promise.all(executors.map((each) => turn(each, session_id, `m${i}`)))
      for (const events of ended) {
        expect(['done', 'error']).toContain(events.at(-1)?.event_type)
        const own = events.filter(({ run_id }) => run_id === events.at(-1)?.run_id)
        const isWhole = own.at(-1)?.event_type === 'done' && of(own, 'error').length === 0
        if (isWhole) expect(textOf(own)).toBe(`Heard: m${i}`)
      }
      expect(textOf(await turn(engine.createExecutor(), session_id, 'after'))).toBe('Heard: after')
      await expectOwn(engine, session_id)
    }
  })

  const start = (tools: readonly OwnTool[]) =>
    startEngine({
      ...{ url: subject().url, tools },
      script(request) {
        const text = lastUserText(request)
        if (toolRounds(request) > 0) return { text: `Heard: ${text}` }
        return { toolCalls: [{ name: 'send', arguments: { value: text } }] }
      },
    })
})

async function converse(engine: TestEngine, session_id: string): Promise<void> {
  for (let i = 0; i < turns; i += 1) {
    const input = `${session_id} ${i}`
    const events = await turn(engine.executor, session_id, input)
    if (textOf(events) !== `Heard: ${input}`) throw new AppError('internal', textOf(events))
    if (events.some((event) => event.session_id !== session_id))
      throw new AppError('internal', 'mixed')
  }
}

function turn(executor: AgentExecutor, session_id: string, input: string) {
  const approvals = { kind: 'handler', handler: decidesBy(() => yes) } as const
  return collect(executor.execute(input, session_id, { principal: person, approvals }))
}

/** Seqs without a gap, every call answered, the session at rest. */
async function expectOwn({ sql }: TestEngine, session_id: string): Promise<void> {
  const rows = await sql.events.read(session_id, { after: 0, limit: 1_000 })
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1))
  const { openRun, openCalls } = await loadConversation(sql.events, session_id)
  expect({ openRun, openCalls }).toEqual({ openRun: undefined, openCalls: [] })
}

async function saidIn({ sql }: TestEngine, session_id: string): Promise<string[]> {
  const { messages } = await loadConversation(sql.events, session_id)
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content)
}
