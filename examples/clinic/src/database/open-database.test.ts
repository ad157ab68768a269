import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Clinic, openClinicDatabase } from './open-database.ts'
import { all } from './query.ts'

function rowsOf(clinic: Clinic) {
  const names = [
    'users',
    'customers',
    'services',
    'consultations',
    'treatments',
    'customer_cautions',
  ]
  return names.map((name) => all(clinic, `SELECT * FROM ${name}`))
}

test('the same seed gives the same clinic, another one another [E8.1]', () => {
  using first = openClinicDatabase()
  using second = openClinicDatabase()
  using other = openClinicDatabase(':memory:', { seed: 5 })
  expect(rowsOf(first)).toEqual(rowsOf(second))
  expect(rowsOf(first)).not.toEqual(rowsOf(other))
})

test('it has hundreds of customers with what they asked for and what was done', () => {
  using clinic = openClinicDatabase()
  const [users, customers, services, consultations, treatments] = rowsOf(clinic)
  expect(customers).toHaveLength(320)
  expect(users).toHaveLength(332)
  expect(services).toHaveLength(16)
  expect(consultations!.length).toBeGreaterThan(600)
  expect(treatments!.length).toBeGreaterThan(900)
})

test('every filled table is marked as generated; the one that is written to is not', () => {
  using clinic = openClinicDatabase()
  const marked = all<{ table_name: string; row_count: number; note: string }>(
    clinic,
    'SELECT * FROM generated_data ORDER BY table_name',
  )
  expect(marked.map(({ table_name }) => table_name)).toEqual([
    ...['consultations', 'customer_cautions', 'customer_concerns', 'customers'],
    ...['service_cautions', 'service_effects', 'services', 'treatments', 'users'],
  ])
  expect(marked.find(({ table_name }) => table_name === 'customers')?.row_count).toBe(320)
  expect(marked.every(({ note }) => note.includes('Generated'))).toBe(true)
})

test('nobody can be reached by what was generated', () => {
  using clinic = openClinicDatabase()
  const people = all<{ phone: string; email: string }>(clinic, 'SELECT phone, email FROM users')
  expect(people.every(({ phone }) => /^1\d{2}\*{4}\d{4}$/.test(phone))).toBe(true)
  expect(people.every(({ email }) => email.endsWith('@clinic.example'))).toBe(true)
})

test('a file is filled once and keeps what was written', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'clinic.db')
  using first = openClinicDatabase(path)
  first.exec("UPDATE users SET city = '苏州' WHERE user_id = 'U0001'")
  using second = openClinicDatabase(path, { seed: 99 })
  expect(all(second, "SELECT city FROM users WHERE user_id = 'U0001'")).toEqual([{ city: '苏州' }])
  expect(all(second, 'SELECT DISTINCT seed FROM generated_data')).toEqual([{ seed: 4 }])
})
