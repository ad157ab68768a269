import { all, type Clinic } from '../database/index.ts'

export interface Treatment {
  treatment_id: string
  service_id: string
  service_name: string
  category: string
  doctor_id: string
  doctor_name: string
  day: string
  paid_yuan: number
  satisfaction: number | null
}

/** Of one customer, newest first. */
export function listTreatments(clinic: Clinic, user_id: string): Treatment[] {
  const sql = `
    SELECT treatment_id, service_id, services.name AS service_name, category, doctor_id,
      users.name AS doctor_name, day, paid_yuan, satisfaction
    FROM treatments JOIN services USING (service_id)
      JOIN users ON users.user_id = doctor_id
    WHERE treatments.user_id = $user_id ORDER BY day DESC, treatment_id DESC`
  return all<Treatment>(clinic, sql, { user_id })
}

export interface Consultation {
  consultation_id: string
  consultant_id: string
  consultant_name: string
  day: string
  channel: string
  concern: string
  service_id: string
  service_name: string
  outcome: string
}

/** Of one customer, newest first. */
export function listConsultations(clinic: Clinic, user_id: string): Consultation[] {
  const sql = `
    SELECT consultation_id, consultant_id, users.name AS consultant_name, day, channel, concern,
      service_id, services.name AS service_name, outcome
    FROM consultations JOIN services USING (service_id)
      JOIN users ON users.user_id = consultant_id
    WHERE consultations.user_id = $user_id ORDER BY day DESC, consultation_id DESC`
  return all<Consultation>(clinic, sql, { user_id })
}
