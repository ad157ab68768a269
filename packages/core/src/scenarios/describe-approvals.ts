import type { Decision } from '@dataagent/schema'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { expect, test } from 'vitest'
import type { Agent } from '../engine/index.ts'
import {
  collect,
  countingTool,
  type ExecutorMaker,
  of,
  person,
  startEngine,
  type TestEngine,
  textOf,
} from '../engine/test-engine.ts'
import type { ApprovalPolicy, HITLHandler } from '../hitl/index.ts'
import { follow } from './test-follow.ts'
import { callsOnce, decidesBy, no, yes } from './test-words.ts'

type SqlKinds = Parameters<typeof describeSql>[2]

/** Approvals of runs, whoever works on them. */
export async function describeApprovals(maker?: ExecutorMaker, kinds?: SqlKinds): Promise<void> {
  await describeSql(
    'approvals of a run',
    (subject) => {
      test('a handler is asked with name, args and description, and its yes runs the tool [D3.1] [D3.2] [D3.3]', async () => {
        await using scene = await startScene()
        const asked: unknown[] = []
        const handler: HITLHandler = {
          async requestApproval(action, session_id) {
            asked.push({ action, session_id })
            return yes
          },
        }
        const events = await scene.say({ kind: 'handler', handler })
        const args = { value: expect.any(String) }
        const action = { name: 'send', args, description: expect.any(String) }
        expect(asked).toMatchObject([{ action, session_id: scene.engine.session_id }])
        expect(scene.send.runs).toEqual([args])
        expect(of(events, 'approval_decided')).toMatchObject([{ decision: yes, via: 'person' }])
        expect(of(events, 'session_state').map(({ status }) => status)).toEqual([
          ...['waiting_approval', 'running'],
        ])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect(textOf(events)).toBe('All done.')
      })

      test('a rejection ends the run: done, cancelled, and the next turn works [D3.4] [D5.5]', async () => {
        await using scene = await startScene()
        const events = await scene.say(handlerOf(no))
        expect(scene.send.runs).toEqual([])
        expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'rejected' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        expect(scene.engine.standIn.requests).toHaveLength(1)
        const next = await scene.say(handlerOf(yes))
        expect(next.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect(scene.send.runs).toHaveLength(1)
      })

      test('with `tell` the model reads why and goes on [D3.4]', async () => {
        await using byAgent = await startScene({ onReject: 'tell' })
        expect((await byAgent.say(handlerOf(no))).at(-1)).toMatchObject({ cancelled: false })
        await using byPerson = await startScene()
        const events = await byPerson.say(handlerOf({ ...no, on_reject: 'tell' }))
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        for (const { engine, send } of [byAgent, byPerson]) {
          expect(send.runs).toEqual([])
          const [answer] = engine.standIn.requests[1]?.turns.at(-1)?.toolResults ?? []
          expect(answer?.text).toContain('Not now.')
        }
      })

      test('an approval with other arguments runs the tool with those [D3.3]', async () => {
        await using scene = await startScene()
        const events = await scene.say(handlerOf({ ...yes, args: { value: 'b' } }))
        expect(scene.send.runs).toEqual([{ value: 'b' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
      })

      test("an agent's auto_approve leaves what may do harm to whoever is there [D3.5] [D4.1]", async () => {
        await using scene = await startPair({ autoApprove: true }, { isDestructive: true })
        const asked: string[] = []
        const handler = decidesBy((name) => {
          asked.push(name)
          return no
        })
        const events = await scene.say({ kind: 'handler', handler })
        expect(asked).toEqual(['b'])
        expect(scene.runs()).toEqual({ a: 1, b: 0 })
        expect(of(events, 'approval_decided')).toMatchObject([{ decision: no, via: 'person' }])
      })

      test('without a handler the library approves everything, and the audit names it [D3.5]', async () => {
        await using scene = await startScene()
        const events = await scene.say(undefined)
        expect(scene.send.runs).toHaveLength(1)
        expect(of(events, 'hitl_request')).toEqual([])
        const { hub } = scene.engine
        await hub.audit.flush()
        const admin = { ...person, role: 'admin' } as const
        const rows = await hub.audit.query(admin, { limit: 10, offset: 0 })
        expect(JSON.stringify(rows)).toContain('no HITLHandler is configured')
      })

      test('`nothing` denies what needs approval, and the run goes on [D3.5]', async () => {
        await using scene = await startScene()
        const events = await scene.say({ kind: 'nothing' })
        expect(scene.send.runs).toEqual([])
        expect(of(events, 'tool_result')).toMatchObject([{ status: 'error', outcome: 'denied' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
      })

      test('a handler that fails, or gives no decision, is a rejection and is told of [D3.1] [T39]', async () => {
        const answers = [
          () => Promise.reject(new Error('gone')),
          async () => 'yes',
          async () => ({}),
        ]
        for (const answer of answers) {
          const faults: unknown[] = []
          await using scene = await startScene(
            {},
            { onError: (error: unknown) => faults.push(error) },
          )
          const handler = { requestApproval: answer as () => Promise<never> }
          const events = await scene.say({ kind: 'handler', handler })
          expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
          expect(scene.send.runs).toEqual([])
          expect(faults).toHaveLength(1)
        }
      })

      test('a decision may leave out its message', async () => {
        await using scene = await startScene()
        const requestApproval = async () => ({ type: 'approve' }) as Decision
        await scene.say({ kind: 'handler', handler: { requestApproval } })
        expect(scene.send.runs).toHaveLength(1)
      })

      test('a yes that reaches further than it may is one for this call', async () => {
        await using scene = await startScene()
        const requestApproval = async () => ({ ...yes, scope: 'always' }) as const
        const events = await scene.say({ kind: 'handler', handler: { requestApproval } })
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect(scene.send.runs).toHaveLength(1)
      })

      test('a handler that does not answer leaves the approval to the inbox [D3.1]', async () => {
        await using scene = await startScene()
        const handler = { requestApproval: () => new Promise<Decision>(() => {}) }
        const run = scene.begin({ kind: 'handler', handler })
        const [asked] = await run.until('hitl_request')
        expect(asked).toMatchObject({ reason: expect.stringMatching(/\w+ \w+/) })
        await scene.engine.hub.approvals.decide(person, asked!.approval_id, yes)
        expect((await run.ended).at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
        expect(scene.send.runs).toHaveLength(1)
      })

      test('two calls, B approved and A rejected: B runs, A does not, the run ends [D3.4] [D5.5]', async () => {
        await using scene = await startPair()
        const run = scene.begin({ kind: 'inbox' })
        const [a, b] = await scene.untilAsked(run)
        await scene.decide(b, yes)
        await scene.decide(a, no)
        const events = await run.ended
        expect(scene.runs()).toEqual({ a: 0, b: 1 })
        expect(scene.outcomes(events)).toEqual({ a: 'rejected', b: 'ok' })
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        await scene.expectGoesOn()
      })

      test('with `tell`, A rejected first: B still waits for its yes and runs [D3.4]', async () => {
        await using scene = await startPair({ onReject: 'tell' })
        const run = scene.begin({ kind: 'inbox' })
        const [a, b] = await scene.untilAsked(run)
        await scene.decide(a, no)
        await run.until('tool_result')
        await scene.decide(b, yes)
        const events = await run.ended
        expect(scene.outcomes(events)).toEqual({ a: 'rejected', b: 'ok' })
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
      })

      test('A rejected while nobody has decided B: B is withdrawn [D3.4]', async () => {
        await using scene = await startPair()
        const run = scene.begin({ kind: 'inbox' })
        const [a, b] = await scene.untilAsked(run)
        await scene.decide(a, no)
        const events = await run.ended
        expect(scene.runs()).toEqual({ a: 0, b: 0 })
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        expect(await scene.engine.hub.approvals.get(person, b)).toMatchObject({ via: 'withdrawal' })
        await expect(scene.decide(b, yes)).rejects.toMatchObject({ code: 'conflict' })
        await scene.expectGoesOn()
      })

      test('A rejected while B needs no approval: B runs to its end [D3.4]', async () => {
        const gate = Promise.withResolvers<void>()
        await using scene = await startPair({}, { b: 'allow', runB: () => gate.promise })
        const run = scene.begin({ kind: 'inbox' })
        const [asked] = await run.until('hitl_request')
        await scene.decide(asked!.approval_id, no)
        await run.until('tool_result')
        gate.resolve()
        const events = await run.ended
        expect(scene.outcomes(events)).toEqual({ a: 'rejected', b: 'ok' })
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        await scene.expectGoesOn()
      })

      test('nobody answers in time: that is a no [D3.4]', async () => {
        await using scene = await startScene()
        const events = await scene.say({ kind: 'inbox', timeoutMs: 50 })
        expect(scene.send.runs).toEqual([])
        expect(of(events, 'approval_decided')).toMatchObject([{ via: 'expiry' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
      })

      async function startScene(
        agent: Partial<Agent> = {},
        executor: NonNullable<Parameters<typeof startEngine>[0]>['executor'] = {},
      ) {
        const send = countingTool('send', { approval: 'ask' })
        const engine = await startEngine({
          ...{ url: subject().url, tools: [send], agent, executor, maker },
          script: callsOnce(['send']),
        })
        return { ...toScene(engine), send }
      }

      async function startPair(
        agent: Partial<Agent> = {},
        options: { b?: 'allow' | 'ask'; runB?: () => unknown; isDestructive?: boolean } = {},
      ) {
        const { b = 'ask', runB, isDestructive } = options
        const tools = {
          a: countingTool('a', { approval: 'ask' }),
          b: countingTool('b', { approval: b, isDestructive, ...(runB && { run: runB }) }),
        }
        const engine = await startEngine({
          ...{ url: subject().url, tools: Object.values(tools), agent, maker },
          script: callsOnce(['a', 'b']),
        })
        return {
          ...toScene(engine),
          runs: () => ({ a: tools.a.runs.length, b: tools.b.runs.length }),
          async untilAsked(run: ReturnType<typeof follow>): Promise<[string, string]> {
            const asked = await run.until('hitl_request', 2)
            const idOf = (name: string) => asked.find((e) => e.action_request.name === name)!
            return [idOf('a').approval_id, idOf('b').approval_id]
          },
          decide: (approval_id: string, decision: Decision) =>
            engine.hub.approvals.decide(person, approval_id, decision),
          outcomes(events: Parameters<typeof of>[0]) {
            const results = of(events, 'tool_result')
            return Object.fromEntries(
              of(events, 'tool_call').map(({ tool_name, tool_call_id }) => {
                const result = results.find((each) => each.tool_call_id === tool_call_id)
                return [tool_name, result?.outcome]
              }),
            )
          },
          async expectGoesOn() {
            engine.standIn.script([{ text: 'Still here.' }])
            expect(textOf(await engine.say('And now?'))).toBe('Still here.')
          },
        }
      }
    },
    kinds,
  )
}

function handlerOf(decision: Decision): ApprovalPolicy {
  return { kind: 'handler', handler: decidesBy(() => decision) }
}

function toScene(engine: TestEngine) {
  const run = (approvals: ApprovalPolicy | undefined) =>
    engine.executor.execute('Go', engine.session_id, { principal: person, approvals })
  return {
    engine,
    begin: (approvals: ApprovalPolicy) => follow(run(approvals)),
    say: (approvals: ApprovalPolicy | undefined) => collect(run(approvals)),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}
