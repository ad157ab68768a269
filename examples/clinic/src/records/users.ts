import { AppError } from '@dataagent/schema'
import {
  all,
  type Caution,
  type Clinic,
  type Concern,
  first,
  type roles,
} from '../database/index.ts'

export type Role = (typeof roles)[number]

export interface User {
  user_id: string
  name: string
  role: Role
  phone: string
  email: string
  city: string
  created_on: string
}

export interface Customer {
  user_id: string
  name: string
  gender: string
  birth_year: number
  skin_type: string
  budget_yuan: number
  source: string
  concerns: { concern: Concern; severity: number }[]
  cautions: Caution[]
}

/** Throws `not_found`. */
export function getUser(clinic: Clinic, user_id: string): User {
  const user = first<User>(clinic, 'SELECT * FROM users WHERE user_id = $user_id', { user_id })
  if (user) return { ...user }
  throw new AppError('not_found', `没有编号为 ${user_id} 的用户，请先用 search_users 查找。`)
}

/** Throws `not_found`, also for someone of the staff. */
export function getCustomer(clinic: Clinic, user_id: string): Customer {
  const { role, name } = getUser(clinic, user_id)
  if (role !== 'customer')
    throw new AppError('not_found', `${user_id}（${name}）是员工（${role}），不是客户。`)
  const sql = `
    SELECT user_id, name, gender, birth_year, skin_type, budget_yuan, source
    FROM customers JOIN users USING (user_id) WHERE user_id = $user_id`
  const row = first<Omit<Customer, 'concerns' | 'cautions'>>(clinic, sql, { user_id })!
  const concerns = all<Customer['concerns'][number]>(
    clinic,
    `SELECT concern, severity FROM customer_concerns WHERE user_id = $user_id
     ORDER BY severity DESC, concern`,
    { user_id },
  )
  const cautions = all<{ caution: Caution }>(
    clinic,
    'SELECT caution FROM customer_cautions WHERE user_id = $user_id ORDER BY caution',
    { user_id },
  )
  return { ...row, concerns, cautions: cautions.map(({ caution }) => caution) }
}

export interface UserQuery {
  keyword: string
  role: Role | 'any'
  city?: string | undefined
  limit: number
  offset: number
}

export function searchUsers(clinic: Clinic, query: UserQuery): { total: number; users: User[] } {
  const { limit, offset, role } = query
  // instr: a % or _ in a keyword stands for itself.
  const where = `
    WHERE (instr(name, $keyword) > 0 OR user_id = upper($keyword) OR instr(phone, $keyword) > 0)
      AND ($role = 'any' OR role = $role) AND ($city IS NULL OR city = $city)`
  const parameters = { keyword: query.keyword, role, city: query.city ?? null }
  const total = first<{ n: number }>(clinic, `SELECT count(*) AS n FROM users ${where}`, parameters)
  const sql = `SELECT * FROM users ${where} ORDER BY user_id LIMIT $limit OFFSET $offset`
  const users = all<User>(clinic, sql, { ...parameters, limit, offset })
  return { total: total?.n ?? 0, users }
}
