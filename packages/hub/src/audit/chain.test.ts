import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256, toCanonicalJson } from '../canonical-json.ts'
import { noHash, toLinkedRow, toRowHash } from './chain.ts'
import type { CallRecord } from './contract.ts'
import { aRecord } from './test-records.ts'

const place = { writer: 'w', seq: 1, prev_hash: noHash }

test('a hash is over the hash before and the canonical JSON of the other fields', () => {
  const { row, json } = toLinkedRow(aRecord(), () => place)
  const { hash, ...others } = row
  expect(hash).toBe(sha256(noHash + toCanonicalJson(others)))
  expect(json).toBe(JSON.stringify(row))
  expect(toRowHash(row)).toBe(hash)
})

test('a record with nothing unusual is in its row unchanged', () => {
  const record = aRecord({ args: '{"q":"日本 😀 \\n \\ud"}', error: 'é'.repeat(1_000) })
  expect(toLinkedRow(record, () => place).row).toEqual({
    ...record,
    ...place,
    hash: expect.any(String),
  })
})

test('any change of a field changes the hash', () => {
  const { row } = toLinkedRow(aRecord(), () => place)
  for (const name of Object.keys(row).filter((name) => name !== 'hash')) {
    expect(toRowHash({ ...row, [name]: 'changed' }), name).not.toBe(row.hash)
  }
})

test('what no database keeps is replaced, what is too long is cut, numbers are whole', () => {
  const record = aRecord({
    tool_name: 'a\0b\ud800c',
    session_id: 's'.repeat(500),
    result: 'r'.repeat(1_000_000),
    duration_ms: 1.7,
    attempts: Number.NaN,
  })
  expect(toLinkedRow(record, () => place).row).toMatchObject({
    tool_name: 'a\ufffdb\ufffdc',
    session_id: 's'.repeat(191),
    result: 'r'.repeat(256 * 1024),
    duration_ms: 1,
    attempts: 0,
  })
})

test('a field that is missing cannot hold up others: it is empty', () => {
  const record = { ...aRecord(), trace_id: undefined, user_id: undefined, attempts: null }
  const { row } = toLinkedRow(record as unknown as CallRecord, () => place)
  expect(row).toMatchObject({ trace_id: '', user_id: null, attempts: 0 })
})

test('a tenant whose id had to be changed has one chain all the same', () => {
  const asked: string[] = []
  const placeOf = (tenant_id: string) => {
    asked.push(tenant_id)
    return place
  }
  const { row } = toLinkedRow(aRecord({ tenant_id: 'a\0' }), placeOf)
  expect(asked.at(-1)).toBe(row.tenant_id)
})

test('whatever a caller names a tool, its row can be stored and hashes to itself', () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
  const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''))
  const keeps = (tool_name: string, user_id: string | null) => {
    const { row, json } = toLinkedRow(aRecord({ tool_name, user_id }), () => place)
    expect(row.tool_name.isWellFormed()).toBe(true)
    expect(row.tool_name).not.toContain('\0')
    expect(JSON.parse(json)).toEqual(row)
    expect(toRowHash(JSON.parse(json))).toBe(row.hash)
  }
  fc.assert(fc.property(text, fc.option(text), keeps))
})
