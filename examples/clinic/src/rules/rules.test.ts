import { afterAll, describe, expect, test } from 'vitest'
import { all, asOf, daysBetween, openClinicDatabase } from '../database/index.ts'
import {
  findService,
  getCustomer,
  listConsultations,
  listServices,
  listTreatments,
} from '../records/index.ts'
import { analyse, findPreferences, makePlan, optimise, toWishes } from './index.ts'

const clinic = openClinicDatabase()
afterAll(() => clinic.close())
const services = listServices(clinic)
const ids = all<{ user_id: string }>(clinic, 'SELECT user_id FROM customers ORDER BY user_id')
const people = ids.map(({ user_id }) => ({
  customer: getCustomer(clinic, user_id),
  treatments: listTreatments(clinic, user_id),
  consultations: listConsultations(clinic, user_id),
}))

describe('an analysis', () => {
  test('of every customer adds up to the rows it names', () => {
    for (const { treatments, consultations } of people) {
      const analysis = analyse({ treatments, consultations }, 12)
      const [recency, spending] = analysis.findings
      const named = treatments.filter(({ treatment_id }) => spending!.rows.includes(treatment_id))
      expect(named.reduce((sum, { paid_yuan }) => sum + paid_yuan, 0)).toBe(analysis.spent_yuan)
      expect(named).toHaveLength(analysis.treatments)
      expect(recency!.rows).toEqual(treatments.slice(0, 1).map(({ treatment_id }) => treatment_id))
    }
  })

  test('sees every segment and every risk in the clinic', () => {
    const all = people.map((visits) => analyse(visits, 12))
    const segments = new Set(all.map(({ segment }) => segment))
    expect(segments).toEqual(
      new Set(['未成交客户', '沉睡客户', '高价值客户', '成长客户', '普通客户']),
    )
    expect(new Set(all.map(({ churn_risk }) => churn_risk))).toEqual(new Set(['低', '中', '高']))
  })

  test('asks to follow up what was asked lately and not done since', () => {
    const open = people.flatMap((visits) => analyse(visits, 12).findings).filter(isFollowUp)
    expect(open.length).toBeGreaterThan(5)
    for (const { rows } of open) {
      const [row] = people.flatMap(({ consultations }) =>
        consultations.filter(({ consultation_id }) => rows.includes(consultation_id)),
      )
      expect(row).toMatchObject({ outcome: '考虑中' })
      expect(daysBetween(row!.day, asOf)).toBeLessThanOrEqual(90)
    }
  })
})

function isFollowUp({ rule }: { rule: string }): boolean {
  return rule.startsWith('R4')
}

test('preferences are counts of what was chosen, most often first', () => {
  const person = people.find(({ treatments }) => treatments.length >= 6)!
  const { services, paid_yuan } = findPreferences(person, 100)
  const total = services.reduce((sum, { count }) => sum + count, 0)
  expect(total).toBe(person.treatments.length)
  expect(services.map(({ count }) => count)).toEqual(
    services.map(({ count }) => count).toSorted((a, b) => b - a),
  )
  expect(paid_yuan?.min).toBe(Math.min(...person.treatments.map((one) => one.paid_yuan)))
})

describe('a plan', () => {
  test('for every customer is safe, helps, and stays within the budget', () => {
    for (const { customer, treatments } of people) {
      const wishes = toWishes(customer, [])
      const needs = { customer, services, treatments, wishes, max_services: 3 }
      const plan = makePlan({ ...needs, budget_yuan: customer.budget_yuan })
      expect(plan.total_yuan).toBeLessThanOrEqual(customer.budget_yuan)
      for (const item of plan.items) {
        const service = findService(services, item.service_id)
        expect(service.cautions.filter((one) => customer.cautions.includes(one))).toEqual([])
        const concerns = wishes.map(({ concern }) => concern)
        expect(service.effects.some(({ concern }) => concerns.includes(concern))).toBe(true)
        expect(item.sessions).toBeGreaterThanOrEqual(Math.ceil(service.sessions / 2))
        expect(item.first_on > asOf).toBe(true)
      }
    }
  })

  test('says what it leaves out because of the customer', () => {
    const person = people.find(({ customer }) => customer.cautions.includes('光敏'))!
    const wishes = toWishes(person.customer, ['色斑'])
    const needs = { ...person, services, wishes, budget_yuan: 50_000, max_services: 6 }
    const { items, excluded, uncovered } = makePlan(needs)
    expect(excluded.map(({ name }) => name)).toEqual(['光子嫩肤', '皮秒激光'])
    expect(items).toEqual([])
    expect(uncovered).toEqual(['色斑'])
  })

  test('does not repeat a service before its interval is over', () => {
    const person = people.find(({ treatments }) => (treatments[0]?.day ?? '') > '2026-06-20')!
    const [last] = person.treatments
    const service = findService(services, last!.service_id)
    const wishes = service.effects.map(({ concern }) => ({ concern, severity: 3 }))
    const free = { ...person.customer, cautions: [] }
    const needs = { ...person, customer: free, services: [service], wishes, budget_yuan: 90_000 }
    const { items } = makePlan({ ...needs, max_services: 1 })
    expect(daysBetween(last!.day, items[0]!.first_on)).toBeGreaterThanOrEqual(service.interval_days)
  })
})

describe('an optimised plan', () => {
  const calm = { ...people[0]!.customer, cautions: [] }
  const base = { customer: calm, services, treatments: [], budget_yuan: 100_000 }
  const wishes = [{ concern: '痘痘', severity: 3 } as const]

  test('costs less for the same effect', () => {
    const items = [{ service_id: 'S11', sessions: 4 }]
    const made = optimise({ ...base, wishes, items, goal: 'cost' })
    expect(made.items.map(({ name }) => name)).toEqual(['水杨酸护理'])
    expect(made.after.total_yuan).toBeLessThan(made.before.total_yuan)
  })

  test('takes less time for the same effect', () => {
    const items = [{ service_id: 'S11', sessions: 4 }]
    const made = optimise({ ...base, wishes, items, goal: 'time' })
    expect(made.after.ends_on! < made.before.ends_on!).toBe(true)
  })

  test('has the strongest service where the effect counts', () => {
    const items = [{ service_id: 'S06', sessions: 6 }]
    const made = optimise({ ...base, wishes, items, goal: 'effect' })
    expect(made.items.map(({ name }) => name)).toEqual(['水杨酸护理'])
  })

  test('drops what must not be done, joins what is there twice, cuts to a course and budget', () => {
    const customer = { ...calm, cautions: ['光敏' as const] }
    const items = [
      { service_id: 'S06', sessions: 6 },
      { service_id: 'S12', sessions: 3 },
      { service_id: 'S12', sessions: 3 },
    ]
    const needs = { ...base, customer, wishes, items, goal: 'cost' as const, budget_yuan: 1000 }
    const { items: left, changes } = optimise(needs)
    expect(left).toMatchObject([{ service_id: 'S12', sessions: 2 }])
    expect(changes.map(({ rule }) => rule.slice(0, 2))).toEqual(['O1', 'O2', 'O4'])
  })

  test('of a service that is not there fails', () => {
    const items = [{ service_id: 'S99', sessions: 1 }]
    expect(() => optimise({ ...base, wishes, items, goal: 'cost' })).toThrow('S99')
  })
})
