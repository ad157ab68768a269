import { DuckDBDecimalValue, DuckDBTimestampValue } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toDecimalText, toMomentText } from './texts.ts'

const asDuckdb = (micros: bigint) => String(new DuckDBTimestampValue(micros)).replace(' ', 'T')

test('moments are written as DuckDB writes them, but for the letter between date and time', () => {
  const micros = fc.bigInt({ min: -8_520_000_000_000_000n, max: 7_200_000_000_000_000n })
  fc.assert(fc.property(micros, (at) => void expect(toMomentText(at)).toBe(asDuckdb(at))))
  for (const at of [0n, -1n, 1n, 86_399_999_999n, 86_400_000_000n, -86_400_000_001n, 500_000n]) {
    expect(toMomentText(at)).toBe(asDuckdb(at))
  }
})

test('moments whose microseconds no number holds are left to DuckDB', () => {
  for (const at of [2n ** 63n - 1n, -(2n ** 63n - 1n), 2n ** 53n, -(2n ** 60n)]) {
    expect(toMomentText(at)).toBeUndefined()
  }
})

test('decimals are written as DuckDB writes them, with every digit', () => {
  const value = fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n })
  const small = fc.bigInt({ min: -1_000n, max: 1_000n })
  fc.assert(
    fc.property(fc.oneof(value, small), fc.integer({ min: 0, max: 38 }), (digits, scale) => {
      const decimal = new DuckDBDecimalValue(digits, 38, scale)
      expect(toDecimalText(digits, scale)).toBe(String(decimal))
    }),
  )
})
