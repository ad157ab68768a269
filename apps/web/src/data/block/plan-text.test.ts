import type { DataPlan, DataRow } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { toPlanText } from './plan-text.ts'

const plan = (names: string[], ...rows: DataRow[]): DataPlan => ({
  columns: names.map((name) => ({ name, type: 'TEXT', kind: 'text' })),
  rows,
})

test('lines of PostgreSQL stay lines', () => {
  expect(toPlanText(plan(['QUERY PLAN'], ['Aggregate'], ['  ->  Seq Scan on orders']))).toBe(
    'Aggregate\n  ->  Seq Scan on orders',
  )
})

test('the tree of DuckDB is shown without its name', () => {
  const names = ['explain_key', 'explain_value']
  expect(toPlanText(plan(names, ['physical_plan', '┌──┐\n└──┘\n']))).toBe('┌──┐\n└──┘')
})

test('steps of SQLite are indented below the step that they are for', () => {
  const rows: DataRow[] = [
    [3, 0, 0, 'CO-ROUTINE t'],
    [5, 3, 0, 'SCAN orders'],
    [9, 0, 0, 'SCAN t'],
  ]
  expect(toPlanText(plan(['id', 'parent', 'notused', 'detail'], ...rows))).toBe(
    'CO-ROUTINE t\n  SCAN orders\nSCAN t',
  )
})

test('a plan of MySQL is a table', () => {
  expect(toPlanText(plan(['id', 'select_type', 'table'], [1, 'SIMPLE', 'orders']))).toBe(undefined)
})
