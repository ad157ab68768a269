import { addDays, asOf } from '../database/index.ts'
import type { Service, Treatment } from '../records/index.ts'

export interface PlanItem {
  service_id: string
  name: string
  sessions: number
  price_yuan: number
  subtotal_yuan: number
  interval_days: number
  first_on: string
  last_on: string
  reason: string
}

/** What is planned, before it has days. */
export interface Chosen {
  service: Service
  sessions: number
  reason: string
}

/** Between today and the first session. */
const leadDays = 3

export const scheduleRules = {
  order: 'P5 排期：后一项在前一项首次治疗的恢复期之后开始',
  interval: 'P6 间隔：与同一项目上次治疗的间隔不短于疗程间隔',
}

/** Gives each its days, one after the other in the order given. */
export function schedule(chosen: readonly Chosen[], earlier: readonly Treatment[]): PlanItem[] {
  let free = addDays(asOf, leadDays)
  return chosen.map(({ service, sessions, reason }) => {
    const { service_id, name, price_yuan, interval_days } = service
    const last = earlier.find((one) => one.service_id === service_id)
    const earliest = last ? addDays(last.day, interval_days) : free
    const first_on = earliest > free ? earliest : free
    free = addDays(first_on, service.recovery_days + 1)
    const last_on = addDays(first_on, (sessions - 1) * interval_days)
    const subtotal_yuan = price_yuan * sessions
    return {
      service_id,
      name,
      sessions,
      price_yuan,
      subtotal_yuan,
      interval_days,
      first_on,
      last_on,
      reason,
    }
  })
}

export interface Totals {
  total_yuan: number
  sessions: number
  ends_on: string | null
}

export function totalsOf(items: readonly PlanItem[]): Totals {
  return {
    total_yuan: items.reduce((sum, { subtotal_yuan }) => sum + subtotal_yuan, 0),
    sessions: items.reduce((sum, { sessions }) => sum + sessions, 0),
    ends_on:
      items
        .map(({ last_on }) => last_on)
        .toSorted()
        .at(-1) ?? null,
  }
}
