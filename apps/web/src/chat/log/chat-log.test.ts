import type { SentEvent } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import { createChatLog } from './chat-log.ts'
import type { ToolPart } from './turn.ts'

type Fields = { event_type: string; [field: string]: unknown }

/** The view after these events, numbered one after the other unless they say where they are. */
function viewOf(...events: Fields[]) {
  const log = createChatLog()
  for (const [i, fields] of events.entries()) log.apply(place(fields, i + 1))
  return log.view()
}

const place = (fields: Fields, seq: number) =>
  ({ session_id: 's1', run_id: 'r1', timestamp: seq * 10, seq, ...fields }) as unknown as SentEvent

const said = (content = 'Hi') => ({ event_type: 'user_message', message_id: 'm1', content })
const text = (content: string, fields: object = {}) => ({
  ...{ event_type: 'text', content, is_final: true },
  ...fields,
})
const done = { event_type: 'done', cancelled: false }
const call = (id = 'c1', name = 'orders') => ({
  ...{ event_type: 'tool_call', tool_call_id: id, tool_name: name, tool_args: { a: 1 } },
})
const started = (id = 'c1') => ({ event_type: 'tool_started', tool_call_id: id, tool_name: 'x' })
const ended = (fields: object = {}) => ({
  ...{ event_type: 'tool_result', tool_call_id: 'c1', result: 'r', status: 'success' },
  ...fields,
})
const asked = {
  ...{ event_type: 'hitl_request', approval_id: 'a1', tool_call_id: 'c1', expires_at: 99 },
  action_request: { name: 'orders', args: { a: 1 }, description: 'd' },
}
const decided = {
  ...{ event_type: 'approval_decided', approval_id: 'a1', via: 'person', decided_by: 'ana' },
  decision: { type: 'approve', message: '' },
}

const firstTool = (view: ReturnType<typeof viewOf>) => view.turns[0]?.parts[0] as ToolPart

describe('why tools take part', () => {
  const found = {
    matches: [{ by: 'keyword', word: '订单', server_id: 'o', server_name: 'orders' }],
    ...{ tool_mode: 'intent', matched: 3, offered: 3 },
  }
  const matched = { event_type: 'tools_matched', ...found }

  test('is told with the turn, and does not count as a part of it', () => {
    const [first, second] = viewOf(said(), matched, text('Yes.'), done, said('Bye')).turns
    expect(first?.match).toEqual(found)
    expect(first?.parts).toHaveLength(1)
    expect(second?.match).toBeUndefined()
  })

  test('is not told of what a helper was given', () => {
    const below = { ...matched, parent_tool_call_id: 'c1' }
    expect(viewOf(said(), call(), below).turns[0]?.match).toBeUndefined()
  })
})

test('a summary that was asked for between turns is one of its own, without a message', () => {
  const summary = { event_type: 'summary', content: 'They spoke.', through_seq: 2, run_id: 'r2' }
  const [first, second] = viewOf(said(), text('Yes.'), done, summary, done).turns
  expect(first).toMatchObject({ ended_at: 30, parts: [{ kind: 'text' }] })
  expect(second).toMatchObject({
    ...{ message: undefined, status: 'done', parts: [{ kind: 'summary', content: 'They spoke.' }] },
  })
})

describe('text', () => {
  test('grows by its pieces, and the logged text takes their place', () => {
    const pieces = [
      { ...text('Hel', { offset: 0, is_final: false }), seq: 2 },
      { ...text('lo', { offset: 3, is_final: false }), seq: 2 },
    ]
    expect(viewOf(said(), ...pieces).turns[0]?.parts).toMatchObject([
      { kind: 'text', key: '2', content: 'Hello', isFinal: false },
    ])
    const whole = { ...text('Hello'), seq: 2 }
    expect(viewOf(said(), ...pieces, whole).turns[0]?.parts).toMatchObject([
      { content: 'Hello', isFinal: true },
    ])
  })

  test('goes on from row to row of the log until the row that ends it', () => {
    const rows = [
      ...[
        text('A **bo', { is_final: false }),
        { ...text('ld', { offset: 0, is_final: false }), seq: 3 },
      ],
      ...[
        { ...text(' wo', { offset: 2, is_final: false }), seq: 3 },
        { ...text('ld** word'), seq: 3 },
      ],
      ...[
        { ...text(''), seq: 4 },
        { ...text('Next'), seq: 5 },
      ],
    ]
    expect(viewOf(said(), ...rows).turns[0]?.parts).toMatchObject([
      { key: '2', content: 'A **bold** word', isFinal: true },
      { key: '5', content: 'Next' },
    ])
  })

  test('that begins anew voids what came of that reply, and nothing before it', () => {
    const view = viewOf(
      ...[said(), text('First.'), call(), ended()],
      ...[{ ...text('Hal', { offset: 0, is_final: false }), seq: 5 }],
      ...[{ ...text('Again', { restarts: true }), seq: 6 }],
    )
    expect(view.turns[0]?.parts).toMatchObject([
      ...[{ content: 'First.' }, { kind: 'tool' }, { content: 'Again', isFinal: true }],
    ])
  })
})

describe('a call', () => {
  test.each([
    ['asked', [call()], 'asked'],
    ['under way', [call(), started()], 'running'],
    ['waiting for a person', [call(), asked], 'waiting'],
    ['approved, before it begins', [call(), asked, decided], 'asked'],
    ['ended well', [call(), started(), ended()], 'ok'],
    ['failed', [call(), ended({ status: 'error', outcome: 'timeout' })], 'error'],
    ['rejected', [call(), ended({ status: 'error', outcome: 'rejected' })], 'cancelled'],
    ['cancelled', [call(), ended({ status: 'error', outcome: 'cancelled' })], 'cancelled'],
  ])('%s', (_, events, state) => {
    expect(firstTool(viewOf(said(), ...events)).state).toBe(state)
  })

  test('keeps what was asked and decided about it', () => {
    const { approval } = firstTool(viewOf(said(), call(), asked, decided))
    expect(approval).toMatchObject({
      ...{ approval_id: 'a1', expires_at: 99 },
      answer: { decision: { type: 'approve' }, via: 'person', by: 'ana' },
    })
  })

  test('has what its helper did, not the turn', () => {
    const below = { parent_tool_call_id: 'c1' }
    const view = viewOf(
      ...[said(), call('c1', 'task'), { ...call('c2'), ...below }],
      ...[
        { ...asked, tool_call_id: 'c2', ...below },
        { ...decided, ...below },
      ],
      ...[
        { ...text('Helped.'), ...below },
        { ...done, ...below },
      ],
    )
    expect(view.turns[0]).toMatchObject({ status: 'running', parts: [{ kind: 'tool' }] })
    expect(firstTool(view).parts).toMatchObject([
      { tool_call_id: 'c2', approval: { answer: { by: 'ana' } } },
      { kind: 'text', content: 'Helped.' },
    ])
  })

  test('has the files that it changed', () => {
    const file = { event_type: 'file_operation', operation: 'write', path: 'a', diff: '' }
    const view = viewOf(said(), call(), { ...file, tool_call_id: 'c1', additions: 1, deletions: 0 })
    expect(firstTool(view).files).toMatchObject([{ path: 'a' }])
    expect(view.files).toHaveLength(1)
  })
})

describe('blocks of data', () => {
  const query = (ref = 'q1') => ({ query_id: `id-${ref}`, ref, sql: 'select 1', rows: [] })
  const ran = (ref: string, fields: object = { tool_call_id: 'c1' }) => ({
    ...{ event_type: 'result_block', block: { kind: 'query', query: query(ref) } },
    ...fields,
  })
  const drawn = (ref: string, tool_call_id: string) => ({
    ...{ event_type: 'result_block', tool_call_id },
    block: { kind: 'chart', ref, query_id: `id-${ref}`, chart: { type: 'bar', y: ['n'] } },
  })

  test('belong to their call, and a chart to its query', () => {
    const [first, second] = viewOf(said(), call('c1'), ran('q1'), call('c2'), drawn('q1', 'c2'))
      .turns[0]!.parts as ToolPart[]
    expect(first?.blocks).toMatchObject([
      { kind: 'query', query: { ref: 'q1' }, charts: [{ type: 'bar' }] },
    ])
    expect(second?.blocks).toEqual([])
  })

  test('a chart of an earlier turn is shown by its own call', () => {
    const view = viewOf(said(), call('c1'), ran('q1'), done, said(), call('c2'), drawn('q1', 'c2'))
    expect(view.turns[1]?.parts).toMatchObject([{ blocks: [{ kind: 'chart', ref: 'q1' }] }])
    expect(view.turns[0]?.parts).toMatchObject([{ blocks: [{ charts: [] }] }])
  })

  test('of a helper are with the call of the helper', () => {
    const below = { parent_tool_call_id: 'c1' }
    const view = viewOf(
      ...[said(), call('c1', 'task'), { ...call('c2'), ...below }],
      ...[
        { ...ran('q1', { tool_call_id: 'c2' }), ...below },
        { ...drawn('q1', 'c2'), ...below },
      ],
    )
    expect(firstTool(view).blocks).toEqual([])
    expect(firstTool(view).parts).toMatchObject([{ blocks: [{ charts: [{ type: 'bar' }] }] }])
  })

  test('of no call stand by themselves', () => {
    const view = viewOf(said(), ran('q1', {}), drawn('q1', 'none'))
    expect(view.turns[0]?.parts).toMatchObject([
      { kind: 'block', block: { query: { ref: 'q1' }, charts: [{ type: 'bar' }] } },
    ])
  })

  test('are known by what answers cite, with the turn that shows them', () => {
    const view = viewOf(said(), call(), ran('q1'), done, said(), call('c2'), ran('q2'))
    expect([...view.queries]).toMatchObject([
      ['q1', { query: { query_id: 'id-q1' }, turn_key: '1' }],
      ['q2', { query: { query_id: 'id-q2' }, turn_key: '5' }],
    ])
  })

  test('what a reply rests on is with the last reply', () => {
    const found = { cited: [], dangling: [], uncovered: [{ from: 0, to: 1, text: '5' }] }
    const view = viewOf(
      ...[said(), text('Wait.'), call(), text('5'), { event_type: 'citations', ...found }, done],
    )
    const texts = view.turns[0]?.parts.filter(({ kind }) => kind === 'text')
    expect(texts).toMatchObject([{ citations: undefined }, { citations: found }])
  })
})

describe('a turn', () => {
  test.each([
    ['runs', [], 'running'],
    ['waits for a person', [call(), asked], 'waiting'],
    ['goes on once it is decided', [call(), asked, decided], 'running'],
    ['is done', [text('Bye'), done], 'done'],
    ['was stopped', [{ ...done, cancelled: true }], 'stopped'],
    ['has failed', [{ event_type: 'error', error: 'No.', recoverable: true }, done], 'failed'],
  ])('%s', (_, events, status) => {
    expect(viewOf(said(), ...events).turns[0]?.status).toBe(status)
  })

  test('counts what all its calls of the model cost', () => {
    const usage = { event_type: 'usage', model: 'm', tool_mode: 'always', prompt_tokens: 2 }
    const more = { completion_tokens: 3, always_prompt_tokens: 4, cost: 0.5 }
    const view = viewOf(said(), { ...usage, ...more }, { ...usage, ...more })
    expect(view.turns[0]?.usage).toEqual({
      ...{ model: 'm', prompt_tokens: 4, completion_tokens: 6, always_prompt_tokens: 8, cost: 1 },
    })
  })

  test('is the same object until something of it changes', () => {
    const log = createChatLog()
    for (const [i, fields] of [said(), text('Yes'), done, said('More')].entries()) {
      log.apply(place(fields, i + 1))
    }
    const before = log.view()
    expect(log.view()).toBe(before)
    log.apply(place(text('Sure'), 5))
    expect(log.view().turns[0]).toBe(before.turns[0])
    expect(log.view().turns[1]).not.toBe(before.turns[1])
  })
})

test('the plan is the last one, the state that of the session, and newer kinds are passed over', () => {
  const todos = [{ content: 'count', status: 'pending' }]
  const view = viewOf(
    ...[said(), { event_type: 'todo_update', todos: [] }, { event_type: 'todo_update', todos }],
    ...[{ event_type: 'session_state', status: 'waiting_approval' }, { event_type: 'tomorrow' }],
  )
  expect(view).toMatchObject({ todos, status: 'waiting_approval' })
  expect(view.turns).toHaveLength(1)
})
