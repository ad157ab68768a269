import { expect, test } from 'vitest'
import type { Measured } from './measure.ts'
import { benchReport, toResults } from './result.ts'
import { toTable } from './table.ts'

function measured(name: string, costs: number[], baseline?: string): Measured {
  const samples = costs.map((cost) => ({ wall: cost * 2, cpu: cost, childCpu: 0 }))
  return { subject: { name, run() {}, ...(baseline !== undefined && { baseline }) }, samples }
}

const bare = measured('bare', [10, 40, 20])
const ours = measured('ours', [15, 20, 60], 'bare')

test('the ratio is the median of the rounds, not of the whole', () => {
  const results = toResults([bare, ours], 100)
  expect(results.find(({ name }) => name === 'ours @100 cpu')).toEqual({
    name: 'ours @100 cpu',
    value: 20,
    unit: 'µs/op',
    baseline: 'bare @100 cpu',
    ratio: 1.5,
    n: 3,
  })
})

test('a rate is operations per second of wall time', () => {
  expect(toResults([bare], 0)).toContainEqual({
    name: 'bare rate',
    value: 25_000,
    unit: 'op/s',
    baseline: null,
    ratio: null,
    n: 3,
  })
})

test('a baseline too cheap to measure gives no ratio', () => {
  const results = toResults([measured('free', [0]), measured('ours', [5], 'free')], 0)
  const cpu = results.find(({ name }) => name === 'ours cpu')
  expect(cpu?.ratio).toBeNull()
})

test('the CPU of other processes is a figure of its own', () => {
  const withChild = { ...bare, subject: { ...bare.subject, pids: [1] } }
  expect(toResults([withChild], 0).map(({ name }) => name)).toContain('bare child cpu')
})

test('a stall is reported where a subject tells it', () => {
  const samples = [{ wall: 2, cpu: 1, childCpu: 0, stall: 30 }]
  const results = toResults([{ ...bare, samples }], 0)
  expect(results).toContainEqual(expect.objectContaining({ name: 'bare longest stall', value: 30 }))
})

test('memory is reported where a subject tells it', () => {
  const samples = [{ wall: 2, cpu: 1, childCpu: 0, grown: 2_048 }]
  const results = toResults([{ ...bare, samples }], 0)
  expect(results).toContainEqual(expect.objectContaining({ name: 'bare memory', value: 2 }))
})

test('what is reported fits the schema of the last line', () => {
  expect(() => benchReport.parse({ bench: 'a', results: toResults([bare, ours], 1) })).not.toThrow()
  expect(() => benchReport.parse({ bench: 'a', results: [] })).toThrow()
})

test('the table shows median, spread and ratio of each subject', () => {
  expect(toTable([bare, ours], 10)).toBe(
    [
      '',
      'size 10',
      'subject  figure  median  middle half    unit   × baseline',
      'bare     cpu     20      15–30          µs/op',
      '         rate    25,000  18,800–37,500  op/s',
      'ours     cpu     20      17.5–40        µs/op  1.5 (bare)',
      '         rate    25,000  16,700–29,200  op/s   0.667 (bare)',
    ].join('\n'),
  )
})
