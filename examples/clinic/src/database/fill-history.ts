import { addDays, asOf } from './days.ts'
import type { NewCustomer, Staff } from './fill-people.ts'
import type { Insert } from './insert.ts'
import type { Random } from './random.ts'
import { type Service, services } from './service-list.ts'
import { channels, outcomes } from './words.ts'

export interface History {
  insert: Insert
  random: Random
  staff: Staff
  /** The next number of each kind of row. */
  numbers: { consultation: number; treatment: number }
}

/** Consultations about the customer's own concerns; what was booked is followed by sessions. */
export function fillHistory(history: History, customer: NewCustomer): void {
  const { insert, random, staff, numbers } = history
  let day = addDays(customer.created_on, random.below(10))
  for (let left = random.between(1, 6); left > 0 && day < asOf; left--) {
    const concern = random.pick(customer.concerns)
    const service = random.pick(services.filter(({ helps }) => concern in helps))
    const outcome = random.chance(60) ? outcomes[0] : random.pick(outcomes.slice(1))
    insert('consultations', {
      consultation_id: toId('C', numbers.consultation++),
      user_id: customer.user_id,
      consultant_id: random.pick(staff.consultant),
      day,
      channel: random.pick(channels),
      concern,
      service_id: service.service_id,
      outcome,
    })
    if (outcome === outcomes[0]) fillSessions(history, customer.user_id, service, day)
    day = addDays(day, random.between(20, 150))
  }
}

function fillSessions(history: History, user_id: string, service: Service, from: string): void {
  const { insert, random, staff, numbers } = history
  const doctor_id = random.pick(staff.doctor)
  let day = addDays(from, random.between(2, 12))
  for (let left = random.between(1, service.sessions); left > 0 && day < asOf; left--) {
    const percent = random.pick([100, 100, 95, 88])
    insert('treatments', {
      treatment_id: toId('T', numbers.treatment++),
      user_id,
      service_id: service.service_id,
      doctor_id,
      day,
      paid_yuan: Math.round((service.price_yuan * percent) / 100),
      satisfaction: random.chance(70) ? random.pick([2, 3, 4, 4, 5, 5, 5]) : null,
    })
    day = addDays(day, service.interval_days + random.below(8))
  }
}

function toId(letter: string, number: number): string {
  return `${letter}${String(number).padStart(5, '0')}`
}
