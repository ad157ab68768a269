import { addDays, asOf, historyDays } from './days.ts'
import type { Insert } from './insert.ts'
import type { Random } from './random.ts'
import {
  type Concern,
  cautions,
  channels,
  cities,
  concerns,
  givenNames,
  roles,
  skinTypes,
  surnames,
} from './words.ts'

export type Staff = Record<'consultant' | 'doctor' | 'admin', string[]>

const staffCounts = { consultant: 6, doctor: 5, admin: 1 }

export function fillStaff(insert: Insert, random: Random): Staff {
  const staff: Staff = { consultant: [], doctor: [], admin: [] }
  let number = 9000
  for (const role of roles) {
    if (role === 'customer') continue
    staff[role] = Array.from({ length: staffCounts[role] }, () => {
      const user_id = `U${++number}`
      const gender = random.pick(['女', '男'] as const)
      const created_on = addDays(asOf, -historyDays - random.below(900))
      insert('users', { ...person(random, user_id, gender), role, created_on })
      return user_id
    })
  }
  return staff
}

export interface NewCustomer {
  user_id: string
  created_on: string
  concerns: Concern[]
}

export function fillCustomer(insert: Insert, random: Random, user_id: string): NewCustomer {
  const gender = random.chance(85) ? '女' : '男'
  const created_on = addDays(asOf, -random.between(10, historyDays))
  const own = random.some(concerns, random.between(1, 3))
  const possible = cautions.filter((caution) => gender === '女' || caution !== '孕期或哺乳期')
  const against = random.chance(30) ? random.some(possible, random.between(1, 2)) : []
  insert('users', { ...person(random, user_id, gender), role: 'customer', created_on })
  insert('customers', {
    user_id,
    gender,
    birth_year: random.between(1966, 2005),
    skin_type: random.pick(skinTypes),
    budget_yuan: random.pick([2000, 3000, 5000, 8000, 12_000, 20_000]),
    source: random.pick(channels),
  })
  for (const concern of own)
    insert('customer_concerns', { user_id, concern, severity: random.between(1, 3) })
  for (const caution of against) insert('customer_cautions', { user_id, caution })
  return { user_id, created_on, concerns: own }
}

/** Phone numbers are masked and addresses end in .example: none can be anyone's. */
function person(random: Random, user_id: string, gender: keyof typeof givenNames) {
  return {
    user_id,
    name: random.pick([...surnames]) + random.pick(givenNames[gender]),
    phone: `1${random.between(30, 89)}****${String(random.below(10_000)).padStart(4, '0')}`,
    email: `${user_id.toLowerCase()}@clinic.example`,
    city: random.pick(cities),
  }
}
