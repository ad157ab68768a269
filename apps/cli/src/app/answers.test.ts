import type { HITLRequestEvent, SessionInfo, SessionUpdate } from '@dataagent/schema'
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
  /** Whether a person was told here what approving everything means. */
  isAcknowledged: boolean
  /** What the platform says of the session; undefined where it does not answer. */
  isAuto: boolean | undefined
}

/** Questions of a session that wait, on a platform with these rules. */
function open(ids: readonly string[], rules: Partial<Rules> = {}) {
  const { isAutoAllowed = true, lost = new Set<string>(), isAcknowledged = true } = rules
  const platform = { isAuto: 'isAuto' in rules ? rules.isAuto : false }
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
  let info = { session_id: 'one', auto_approve: platform.isAuto } as SessionInfo
  const update = async (_: string, { auto_approve }: SessionUpdate) => {
    if (!isAutoAllowed) throw new Error('not allowed')
    platform.isAuto = auto_approve
    return { ...info, ...(auto_approve !== undefined && { auto_approve }) }
  }
  const get = async () => {
    if (platform.isAuto === undefined) throw new Error('no answer')
    return { ...info, auto_approve: platform.isAuto }
  }
  const link = { client: { sessions: { update, get } } } as unknown as Link
  const approvals: Approvals = createApprovals({
    client: async () => ({ approvals: { get: async () => Promise.reject(new Error()) } as never }),
    questions: {
      add: ({ approval_id }) => void shown.add(approval_id),
      close: (id) => void (shown.delete(id) && told.push(`${id} closed`)),
    },
  })
  const answers: Answers = createAnswers({
    session: {
      get info() {
        return info
      },
      conversation,
      setInfo(told) {
        info = told
      },
    },
    link: async () => link,
    lang: () => 'en',
    notices: {
      say() {},
      tell: (_, text) => void told.push(text),
      tellFailure: (error) => void told.push(String(error)),
    },
    acknowledgement: { isGiven: () => isAcknowledged, give() {} },
    askAuto: async () => true,
    approvals: () => approvals,
    onChange: settle,
  })
  function settle(): void {
    answers.settle(conversation)
  }
  settle()
  return {
    ...{ answers, arrived, told, lost, platform, settle },
    ask(id: string) {
      pending.set(id, request(id))
      settle()
    },
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

test('a session that approves by itself is asked for all the same where nobody was told what that means [D3.6]', async () => {
  const { answers, shown, arrived, told, settle } = open(['a'], {
    ...{ isAuto: true, isAcknowledged: false },
  })
  answers.begin(true)
  settle()
  await expect.poll(shown).toEqual(['a'])
  expect([answers.mode, arrived]).toEqual(['ask', []])
  expect(told).toEqual([
    expect.stringMatching(/^This session is set to approve by itself: .*asked/),
  ])
})

test('asking again ends what the session does by itself, also where it was asked here', async () => {
  const { answers, platform } = open([], { isAuto: true, isAcknowledged: false })
  answers.begin(true)
  await answers.switchTo('ask')
  expect(platform.isAuto).toBe(false)
})

test('where a person was told, a session goes on approving, and it is said', async () => {
  const { answers, arrived, told, ask } = open([], { isAuto: true })
  answers.begin(true)
  ask('a')
  await expect.poll(() => arrived).toEqual(['a'])
  expect(told).toEqual([expect.stringMatching(/^This session approves everything .*\/approve ask/)])
})

test('what was ended elsewhere approves nothing any more: it is said, and each is asked [D3.6]', async () => {
  const { answers, shown, arrived, told, platform, ask, decide } = open([])
  await answers.switchTo('auto')
  ask('a')
  await expect.poll(() => arrived).toEqual(['a'])
  platform.isAuto = false
  ask('b')
  ask('c')
  await expect.poll(shown).toEqual(['b', 'c'])
  expect([answers.mode, arrived]).toEqual(['ask', ['a']])
  expect(told.filter((line) => line.includes('nothing by itself any more'))).toHaveLength(1)
  await decide('once', 'b')
  expect(arrived).toEqual(['a', 'b'])
})

test('where it cannot be read whether a session still approves by itself, a person is asked', async () => {
  const { answers, shown, arrived, told, platform, ask } = open([])
  await answers.switchTo('auto')
  platform.isAuto = undefined
  ask('a')
  await expect.poll(shown).toEqual(['a'])
  expect([arrived, told.at(-1)]).toEqual([[], 'Error: no answer'])
})
