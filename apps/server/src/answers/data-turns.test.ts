import {
  createSummarisation,
  type ModelMessage,
  type ModelPort,
  type Runtime,
} from '@dataagent/core'
import { describe, expect, test } from 'vitest'
import { createDataTurns } from './data-turns.ts'

const tools = ['run_sql', 'describe_source']
const asked: ModelMessage = { role: 'user', content: 'Sales over 500?' }

function createRuntime(caller?: Runtime): Runtime {
  return {
    ...{ session_id: 's1', run_id: 'r1', assistant_id: 'a1', context: {}, caller },
    principal: { tenant_id: 'acme', user_id: 'ada', role: 'user' },
    signal: new AbortController().signal,
    emit: () => {},
    addUsage: () => {},
  }
}

const notesModel: ModelPort = {
  ...{ name: 'test:notes', contextWindow: 8_000, callsTools: true },
  async *stream() {
    yield [{ type: 'text', text: 'Sales rose by 37 %, as the answer said.' }]
    yield [{ type: 'finish', reason: 'stop' }]
  },
}

function callOf(name: string): ModelMessage {
  return { role: 'assistant', content: '', tool_calls: [{ id: '1', name, arguments: {} }] }
}

function replyOf(name: string, content: string, is_error = false): ModelMessage {
  return { role: 'tool', tool_call_id: '1', name, content, is_error }
}

test('a turn in which no tool of data was called is not of data', () => {
  const turns = createDataTurns(tools)
  const runtime = createRuntime()
  turns.noteCall({ call: { id: '1', name: 'read_file', args: {} }, runtime })
  expect(turns.isOfData([asked, callOf('read_file')], runtime)).toBe(false)
})

test('a call of a sub-agent makes the turn of its caller one of data', () => {
  const turns = createDataTurns(tools)
  const caller = createRuntime()
  const runtime = createRuntime(caller)
  turns.noteCall({ call: { id: '1', name: 'run_sql', args: {} }, runtime })
  expect([runtime, caller].map((one) => turns.isOfData([], one))).toEqual([true, true])
})

test('a call that could not be read counts in its own turn alone', () => {
  const turns = createDataTurns(tools)
  const runtime = createRuntime()
  const turn = [asked, callOf('run_sql'), replyOf('run_sql', 'no JSON', true)]
  expect(turns.isOfData(turn, runtime)).toBe(true)
  expect(turns.isOfData([...turn, asked], runtime)).toBe(false)
})

test('what the user and descriptions of sources say may be repeated', () => {
  const turns = createDataTurns(tools)
  const messages = [
    ...[asked, callOf('describe_source'), replyOf('describe_source', 'orders, 20000 rows')],
    ...[replyOf('describe_source', 'There are 3.', true), replyOf('run_sql', '42')],
    replyOf('toString', '43'),
  ]
  expect(turns.repeatable(messages)).toEqual(['Sales over 500?', 'orders, 20000 rows'])
})

test('of a description neither types nor verified SQL may be repeated', () => {
  const turns = createDataTurns(tools)
  const told = 'orders, 20 rows\n  paid DECIMAL(18,2): in 1000 euro'
  const verified = 'Verified questions and their SQL:\n  Most?\n    SELECT a FROM t LIMIT 10'
  expect(turns.repeatable([replyOf('describe_source', `${told}\n\n${verified}`)])).toEqual([
    'orders, 20 rows\nin 1000 euro\n',
  ])
})

describe('of notes in the place of earlier messages', () => {
  const turns = createDataTurns(tools)

  async function notesOf(messages: ModelMessage[], keepMessages: number) {
    const middleware = createSummarisation({ model: notesModel, keepMessages, triggerTokens: 10 })
    const update = await middleware.beforeModel?.({ messages }, createRuntime())
    return update?.messages ?? []
  }
  const answered: ModelMessage = { role: 'assistant', content: 'They rose.', tool_calls: [] }
  const said = (content: string): ModelMessage => ({ role: 'user', content })

  test('nothing that a model wrote may be repeated', async () => {
    const kept = await notesOf([said('Over 500?'), answered, said('Over 600?'), answered], 2)
    expect(kept[0]?.content).toContain('37 %')
    expect(turns.repeatable(kept)).toEqual(['Over 600?'])
  })

  test('the request that they quote may be', async () => {
    const calls = Array.from({ length: 4 }, () => [callOf('run_sql'), replyOf('run_sql', '42')])
    const kept = await notesOf([said('Over 500?'), ...calls.flat()], 2)
    expect(kept[0]?.content).toContain('37 %')
    expect(turns.repeatable(kept)).toEqual(['Over 500?'])
  })
})
