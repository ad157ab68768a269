import type { Approval, SentEvent, ToolCallStatus } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { judgeAnswer, judgeEffects, noFindings } from './findings.ts'
import { acknowledged, type Item, isShed } from './item.ts'

function ended(outcome: ToolCallStatus, fields: Partial<Item>): Item {
  const result = { event_type: 'tool_result', seq: 5, outcome } as SentEvent
  return {
    ...{ id: 'x-1', kind: 'careful', person: { tenant_id: 't', user_id: 'u', key: 'k' } },
    ...{ accepted: true, events: [result], settled: Promise.resolve() },
    cancel: () => {},
    ...fields,
  }
}

function found(item: Item, effects: number): object {
  const findings = noFindings()
  judgeEffects(item, effects, findings)
  judgeAnswer(item, findings)
  return Object.fromEntries(Object.entries(findings).filter(([, told]) => told.length > 0))
}

const approved = { wish: 'approve', decided: 'approve' } as const
const rejected = { wish: 'reject', decided: 'reject' } as const

test('an acknowledged approval has one effect, or its outcome is told as unknown', () => {
  expect(found(ended('ok', approved), 1)).toEqual({})
  expect(found(ended('unknown_outcome', approved), 0)).toEqual({})
  expect(found(ended('unknown_outcome', approved), 1)).toEqual({})
  expect(found(ended('error', approved), 0)).toHaveProperty('lostDecisions')
  expect(found(ended('rejected', approved), 0)).toHaveProperty('lostDecisions')
  expect(found({ ...ended('ok', approved), events: [] }, 0)).toHaveProperty('lostDecisions')
  expect(found(ended('unknown_outcome', approved), 2)).toHaveProperty('doubleEffects')
})

test('an acknowledged rejection is told and has no effect', () => {
  expect(found(ended('rejected', rejected), 0)).toEqual({})
  expect(found(ended('ok', rejected), 1)).toHaveProperty('undecidedEffects')
  expect(found({ ...ended('ok', rejected), events: [] }, 0)).toHaveProperty('lostDecisions')
})

test('a run does not end before its approver was heard, and nothing is done for one who waits', () => {
  expect(found(ended('cancelled', { wish: 'approve' }), 0)).toHaveProperty('lostDecisions')
  expect(found(ended('ok', { wish: 'approve' }), 1)).toHaveProperty('undecidedEffects')
  expect(found(ended('cancelled', { wish: 'wait' }), 0)).toEqual({})
  expect(found(ended('ok', { wish: 'wait' }), 1)).toHaveProperty('undecidedEffects')
})

test('a result without its effect is a finding', () => {
  expect(found(ended('ok', { kind: 'record' }), 0)).toHaveProperty('missingEffects')
  expect(found(ended('ok', { kind: 'record' }), 1)).toEqual({})
})

test('a call over MCP is answered whole or cut off: anything else is a finding', () => {
  const call: Partial<Item> = { kind: 'gateway', events: [] }
  expect(found(ended('ok', { ...call, answer: { status: 'whole' } }), 1)).toEqual({})
  expect(found(ended('ok', { ...call, answer: { status: 'whole' } }), 0)).toEqual({
    missingEffects: ['x-1'],
  })
  expect(found(ended('ok', { ...call, answer: { status: 'cut' } }), 0)).toEqual({})
  expect(found(ended('ok', { ...call, answer: { status: 'refused', said: '503' } }), 0)).toEqual({
    refusedCalls: ['x-1: 503'],
  })
  expect(found(ended('ok', call), 0)).toHaveProperty('refusedCalls')
})

test('a call that a busy server has shed is none, where it has had no effect', () => {
  const shed: Partial<Item> = { kind: 'gateway', events: [], answer: { status: 'shed' } }
  expect(found(ended('ok', shed), 0)).toEqual({})
  expect(found(ended('ok', shed), 1)).toEqual({
    refusedCalls: ['x-1: shed, and made all the same'],
  })
  const busy = 'The server has more to do than it can do in time.'
  const body = JSON.stringify({ error: { code: 'unavailable', message: busy } })
  expect([isShed(503, body), isShed(500, body), isShed(503, 'It starts.')]).toEqual([
    true,
    false,
    false,
  ])
})

test('only what a person has decided is acknowledged', () => {
  const decision = { type: 'reject', message: '' } as const
  const decided = (via: string) => ({ status: 'decided', decision, via }) as Approval
  expect(acknowledged(decided('person'))).toBe('reject')
  expect(acknowledged(decided('expiry'))).toBeUndefined()
  expect(acknowledged(decided('withdrawal'))).toBeUndefined()
  expect(acknowledged({ status: 'pending' } as Approval)).toBeUndefined()
})
