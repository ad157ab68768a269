import type { DatabaseSync } from 'node:sqlite'
import { asOf } from './days.ts'
import { fillHistory } from './fill-history.ts'
import { fillCustomer, fillStaff } from './fill-people.ts'
import { createInsert, type Insert } from './insert.ts'
import { createRandom } from './random.ts'
import { type Service, services } from './service-list.ts'

const customerCount = 320

/** Fills empty tables, in the same way for the same seed, and notes that it did. */
export function fillTables(clinic: DatabaseSync, seed: number): void {
  const random = createRandom(seed)
  const insert = createInsert(clinic)
  for (const service of services) fillService(insert, service)
  const staff = fillStaff(insert, random)
  const numbers = { consultation: 1, treatment: 1 }
  for (let index = 1; index <= customerCount; index++) {
    const customer = fillCustomer(insert, random, `U${String(index).padStart(4, '0')}`)
    fillHistory({ insert, random, staff, numbers }, customer)
  }
  noteGenerated(clinic, insert, seed)
}

function fillService(insert: Insert, { helps, cautions, ...service }: Service): void {
  const { service_id } = service
  insert('services', service)
  for (const [concern, strength] of Object.entries(helps))
    insert('service_effects', { service_id, concern, strength })
  for (const caution of cautions) insert('service_cautions', { service_id, caution })
}

function noteGenerated(clinic: DatabaseSync, insert: Insert, seed: number): void {
  const note = 'Generated for demonstration. Nobody in it exists.'
  const names = clinic.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  for (const { name: table_name } of names as { name: string }[]) {
    const { row_count } = clinic
      .prepare(`SELECT count(*) AS row_count FROM ${table_name}`)
      .get() as { row_count: number }
    if (row_count > 0 && table_name !== 'generated_data')
      insert('generated_data', { table_name, row_count, seed, as_of: asOf, note })
  }
}
