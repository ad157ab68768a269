import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { type Clinic, concerns, roles } from '../database/index.ts'
import {
  getCustomer,
  getUser,
  listConsultations,
  listTreatments,
  searchUsers,
} from '../records/index.ts'
import { basisSchema, toBasis } from './basis.ts'
import { count, day, limit, reads, userId, yuan } from './fields.ts'

const user = {
  user_id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  phone: z.string().describe('已脱敏'),
  email: z.string(),
  city: z.string(),
  created_on: day,
}

const customer = z.object({
  gender: z.string(),
  birth_year: z.int(),
  skin_type: z.string(),
  budget_yuan: yuan,
  source: z.string(),
  concerns: z.array(z.object({ concern: z.enum(concerns), severity: z.int() })),
  cautions: z.array(z.string()),
  consultations: count,
  treatments: count,
})

export function createUserTools(clinic: Clinic): OwnTool[] {
  return [
    defineTool({
      name: 'get_user_profile',
      title: '获取用户资料',
      category: 'user',
      description: '按编号获取一个用户的资料；客户另含肤质、诉求、禁忌、预算和到访次数。',
      input: z.object({ user_id: userId }),
      output: z.object({ ...user, customer: customer.nullable(), basis: basisSchema }),
      annotations: reads,
      run: ({ user_id }) => getProfile(clinic, user_id),
    }),
    defineTool({
      name: 'search_users',
      title: '搜索用户',
      category: 'user',
      description: '按姓名、编号、手机号片段、角色和城市搜索用户。',
      input: z.object({
        keyword: z.string().max(50).default('').describe('姓名或手机号的一部分，或完整编号'),
        role: z
          .enum([...roles, 'any'])
          .default('any')
          .describe('角色：customer、consultant、doctor、admin 或 any'),
        city: z.string().max(20).optional().describe('城市，如 上海'),
        limit: limit(20),
        offset: z.int().min(0).default(0).describe('跳过多少条'),
      }),
      output: z.object({ total: count, users: z.array(z.object(user)), basis: basisSchema }),
      annotations: reads,
      run: (query) => {
        const found = searchUsers(clinic, query)
        const ids = found.users.map(({ user_id }) => user_id)
        return { ...found, basis: toBasis(clinic, { users: ids }) }
      },
    }),
  ]
}

function getProfile(clinic: Clinic, user_id: string) {
  const found = getUser(clinic, user_id)
  if (found.role !== 'customer')
    return { ...found, customer: null, basis: toBasis(clinic, { users: [user_id] }) }
  const consultations = listConsultations(clinic, user_id).length
  const treatments = listTreatments(clinic, user_id).length
  return {
    ...found,
    customer: { ...getCustomer(clinic, user_id), consultations, treatments },
    basis: toBasis(clinic, { users: [user_id], customers: [user_id] }),
  }
}
