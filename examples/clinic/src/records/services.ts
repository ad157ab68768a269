import { AppError } from '@dataagent/schema'
import {
  all,
  type Caution,
  type Clinic,
  type Concern,
  first,
  type serviceCategories,
} from '../database/index.ts'

export interface Service {
  service_id: string
  name: string
  category: (typeof serviceCategories)[number]
  price_yuan: number
  sessions: number
  interval_days: number
  recovery_days: number
  minutes: number
  effects: { concern: Concern; strength: number }[]
  cautions: Caution[]
}

/** All that the clinic offers, by id. */
export function listServices(clinic: Clinic): Service[] {
  const effects = all<{ service_id: string; concern: Concern; strength: number }>(
    clinic,
    'SELECT * FROM service_effects ORDER BY strength DESC, concern',
  )
  const cautions = all<{ service_id: string; caution: Caution }>(
    clinic,
    'SELECT * FROM service_cautions ORDER BY caution',
  )
  const rows = all<Omit<Service, 'effects' | 'cautions'>>(
    clinic,
    'SELECT * FROM services ORDER BY service_id',
  )
  const of = <T extends { service_id: string }>(list: T[], id: string) =>
    list.filter(({ service_id }) => service_id === id)
  return rows.map((row) => ({
    ...row,
    effects: of(effects, row.service_id).map(({ concern, strength }) => ({ concern, strength })),
    cautions: of(cautions, row.service_id).map(({ caution }) => caution),
  }))
}

/** Throws `not_found`. */
export function findService(services: readonly Service[], service_id: string): Service {
  const service = services.find((one) => one.service_id === service_id)
  if (service) return service
  throw new AppError('not_found', `没有编号为 ${service_id} 的项目，请先用 get_service_info 查找。`)
}

export interface ServiceUse {
  treatments: number
  customers: number
  average_satisfaction: number | null
}

export function getServiceUse(clinic: Clinic, service_id: string): ServiceUse {
  const sql = `
    SELECT count(*) AS treatments, count(DISTINCT user_id) AS customers,
      round(avg(satisfaction), 2) AS average_satisfaction
    FROM treatments WHERE service_id = $service_id`
  return { ...first<ServiceUse>(clinic, sql, { service_id })! }
}
