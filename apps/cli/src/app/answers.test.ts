import type { HITLRequestEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import type { TerminalDecision } from '../hitl/index.ts'
import type { Link } from '../link/index.ts'
import { type Answers, createAnswers } from './answers.ts'
import { type Approvals, createApprovals } from './approvals.ts'
import type { Conversation } from './conversation.ts'

interface Rules {
  /** Whether the organisation lets a session approve everything. */
  isAutoAllowed: boolean
  /** Decisions that do not arrive. */
  lost: Set<string>
}

/** Questions of a session that wait, on a platform with these rules. */
function open(ids: readonly string[], rules: Partial<Rules> = {}) {
  const { isAutoAllowed = true, lost = new Set<string>() } = rules
  const pending = new Map(ids.map((id) => [id, request(id)]))
  const shown = new Set<string>()
  const arrived: string[] = []
  const told: string[] = []
  const conversation = {
    get pending() {
      return [...pending.values()]
    },
    howDecided: () => 'allowed',
    async decide(id: string) {
      if (lost.has(id)) throw new Error('it was lost')
      arrived.push(id)
      pending.delete(id)
      settle()
    },
  } as unknown as Conversation
  const info = { session_id: 'one' } as never
  const update = async () => {
    if (!isAutoAllowed) throw new Error('not allowed')
    return info
  }
  const link = { client: { sessions: { update } } } as unknown as Link
  const approvals: Approvals = createApprovals({
    client: async () => ({ approvals: { get: async () => Promise.reject(new Error()) } as never }),
    questions: {
      add: ({ approval_id }) => void shown.add(approval_id),
      close: (id) => void (shown.delete(id) && told.push(`${id} closed`)),
    },
  })
  const answers: Answers = createAnswers({
    session: { info, conversation, setInfo() {} },
    link: async () => link,
    lang: () => 'en',
    notices: { say() {}, tell: (_, text) => void told.push(text), tellFailure() {} },
    acknowledgement: { isGiven: () => true, give() {} },
    askAuto: async () => true,
    approvals: () => approvals,
    onChange: settle,
  })
  function settle(): void {
    answers.settle(conversation)
  }
  settle()
  return {
    ...{ answers, arrived, told, lost },
    shown: () => [...shown].sort(),
    /** As a stage does: what is answered is gone from it, with what is meant too. */
    decide(kind: TerminalDecision['kind'], id: string, others: readonly string[] = []) {
      for (const one of [id, ...others]) shown.delete(one)
      return answers.decide(id, { kind, message: '' }, others)
    },
  }
}

function request(approval_id: string): HITLRequestEvent {
  const action_request = { name: 'drop', args: {}, description: '' }
  return { event_type: 'hitl_request', approval_id, action_request } as never
}

test('where everything may not be approved nothing is, and every question is there again', async () => {
  const { decide, shown, arrived, told, answers } = open(['a', 'b', 'c'], { isAutoAllowed: false })
  await expect.poll(shown).toEqual(['a', 'b', 'c'])
  await decide('all', 'a', ['b', 'c'])
  expect([arrived, answers.mode]).toEqual([[], 'ask'])
  expect(told).toEqual(['The decision was not taken: not allowed'])
  await expect.poll(shown).toEqual(['a', 'b', 'c'])
})

test('where it may, all that waits is approved, also what was not shown yet', async () => {
  const { decide, shown, arrived, told, answers } = open(['a', 'b', 'c'])
  await decide('all', 'a', ['b'])
  await expect.poll(() => arrived).toEqual(['a', 'b', 'c'])
  expect([shown(), answers.mode]).toEqual([[], 'auto'])
  expect(told.join()).not.toContain('closed')
})

test('what is meant by the same answer is sent once that was taken, and else asked again', async () => {
  const { decide, shown, arrived, lost } = open(['a', 'b', 'c'], { lost: new Set(['a']) })
  await expect.poll(shown).toEqual(['a', 'b', 'c'])
  await decide('tool', 'a', ['c'])
  expect(arrived).toEqual([])
  await expect.poll(shown).toEqual(['a', 'b', 'c'])
  lost.clear()
  await decide('tool', 'a', ['c'])
  await expect.poll(() => arrived).toEqual(['a', 'c'])
  expect(shown()).toEqual(['b'])
})

test('what could not be approved without a person is asked, then and later', async () => {
  const { answers, shown, arrived, lost, decide } = open(['a'], { lost: new Set(['a']) })
  await answers.switchTo('auto')
  await expect.poll(shown).toEqual(['a'])
  await answers.switchTo('ask')
  expect(shown()).toEqual(['a'])
  lost.clear()
  await decide('once', 'a')
  expect([arrived, shown()]).toEqual([['a'], []])
})
