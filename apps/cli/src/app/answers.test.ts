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
  let info: SessionInfo | undefined = toInfo('one', platform.isAuto)
  const update = async (_: string, { auto_approve }: SessionUpdate) => {
    if (!isAutoAllowed) throw new Error('not allowed')
    platform.isAuto = auto_approve
    return toInfo('one', auto_approve)
  }
  const get = async () => {
    if (platform.isAuto === undefined) throw new Error('no answer')
    return toInfo('one', platform.isAuto)
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
    /** Another one is shown from now on, as the platform tells it; none where one is begun. */
    show(session: SessionInfo | undefined) {
      const left = info
      info = session
      answers.begin(session, left)
      settle()
    },
    /** The first message has begun it. */
    begun(session: SessionInfo) {
      info = session
    },
    /** As a stage does: what is answered is gone from it, with what is meant too. */
    decide(kind: TerminalDecision['kind'], id: string, others: readonly string[] = []) {
      for (const one of [id, ...others]) shown.delete(one)
      return answers.decide(id, { kind, message: '' }, others)
    },
  }
}

function toInfo(session_id: string, auto_approve: boolean | undefined): SessionInfo {
  return { session_id, auto_approve } as SessionInfo
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

test.each([true, false])(
  'what was set elsewhere approves nothing here, with its meaning known: %s [D3.6]',
  async (isAcknowledged) => {
    const { show, answers, shown, arrived, told } = open(['a'], { isAuto: true, isAcknowledged })
    show(toInfo('one', true))
    await expect.poll(shown).toEqual(['a'])
    expect([answers.mode, arrived]).toEqual(['ask', []])
    expect(told).toEqual([
      expect.stringMatching(/^This session is set to approve by itself: .*asked.*\/approve auto/),
    ])
    await answers.switchTo(undefined)
    await expect.poll(() => arrived).toEqual(['a'])
  },
)

test('asking again ends what the session does by itself, also where it was asked here', async () => {
  const { answers, platform, show } = open([], { isAuto: true })
  show(toInfo('one', true))
  await answers.switchTo('ask')
  expect(platform.isAuto).toBe(false)
})

test('what was chosen here for a session holds when it is shown again, and is said', async () => {
  const { answers, arrived, told, ask, show, platform } = open([])
  await answers.switchTo('auto')
  show(toInfo('other', true))
  expect(answers.mode).toBe('ask')
  show(undefined)
  expect(answers.mode).toBe('ask')
  told.length = 0
  show(toInfo('one', platform.isAuto))
  ask('a')
  await expect.poll(() => arrived).toEqual(['a'])
  expect(told).toEqual([expect.stringMatching(/^From now on everything .* is approved/)])
})

test('of what was chosen here nothing holds once it was seen to be ended elsewhere', async () => {
  const { answers, show } = open([])
  await answers.switchTo('auto')
  show(undefined)
  for (const isAuto of [false, true]) {
    show(toInfo('one', isAuto))
    expect(answers.mode).toBe('ask')
  }
})

test('what was chosen before the first message holds for the session that it begins', async () => {
  const { answers, show, begun } = open([])
  show(undefined)
  await answers.switchTo('auto')
  begun(toInfo('one', true))
  show(undefined)
  show(toInfo('one', true))
  expect(answers.mode).toBe('auto')
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
