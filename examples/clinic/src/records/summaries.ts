import { AppError } from '@dataagent/schema'
import { all, type Clinic, first } from '../database/index.ts'

export interface NextStep {
  action: string
  due_on?: string | undefined
}

export interface Summary {
  summary_id: number
  consultation_id: string
  summary: string
  key_points: string[]
  next_steps: NextStep[]
  written_by: string
  written_at: string
}

/** Of one customer's consultations, oldest first. */
export function listSummaries(clinic: Clinic, user_id: string): Summary[] {
  const sql = `
    SELECT consultation_summaries.* FROM consultation_summaries
      JOIN consultations USING (consultation_id)
    WHERE user_id = $user_id ORDER BY summary_id`
  return all<Stored>(clinic, sql, { user_id }).map(fromStored)
}

/** Adds one more, whatever is there. Throws `not_found` for a consultation that is not there. */
export function addSummary(clinic: Clinic, fields: Omit<Summary, 'summary_id'>): Summary {
  const { consultation_id } = fields
  const sql = 'SELECT 1 FROM consultations WHERE consultation_id = $consultation_id'
  if (!first(clinic, sql, { consultation_id }))
    throw new AppError(
      'not_found',
      `没有编号为 ${consultation_id} 的咨询，请先用 get_consultation_history 查找。`,
    )
  const stored = first<Stored>(
    clinic,
    `INSERT INTO consultation_summaries
       (consultation_id, summary, key_points, next_steps, written_by, written_at)
     VALUES ($consultation_id, $summary, $key_points, $next_steps, $written_by, $written_at)
     RETURNING *`,
    {
      ...fields,
      key_points: JSON.stringify(fields.key_points),
      next_steps: JSON.stringify(fields.next_steps),
    },
  )
  return fromStored(stored!)
}

type Stored = Omit<Summary, 'key_points' | 'next_steps'> & {
  key_points: string
  next_steps: string
}

function fromStored({ key_points, next_steps, ...rest }: Stored): Summary {
  return { ...rest, key_points: JSON.parse(key_points), next_steps: JSON.parse(next_steps) }
}
