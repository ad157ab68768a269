import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { type Clinic, concerns, serviceCategories } from '../database/index.ts'
import { findService, getServiceUse, listServices, type Service } from '../records/index.ts'
import { basisSchema, toBasis } from './basis.ts'
import { count, limit, reads, yuan } from './fields.ts'

const service = z.object({
  service_id: z.string(),
  name: z.string(),
  category: z.enum(serviceCategories),
  price_yuan: yuan,
  sessions: z.int().describe('一个疗程的次数'),
  interval_days: z.int(),
  recovery_days: z.int(),
  minutes: z.int(),
  effects: z.array(z.object({ concern: z.enum(concerns), strength: z.int() })),
  cautions: z.array(z.string()),
  use: z.object({
    treatments: count,
    customers: count,
    average_satisfaction: z.number().nullable(),
  }),
})

const input = z.object({
  service_id: z.string().max(20).optional().describe('项目编号，如 S02；填写后只返回该项目'),
  keyword: z.string().max(50).default('').describe('项目名称的一部分，或一种诉求'),
  category: z
    .enum([...serviceCategories, '全部'])
    .default('全部')
    .describe(`类别：${serviceCategories.join('、')}或全部`),
  limit: limit(20),
})

export function createProjectTools(clinic: Clinic): OwnTool[] {
  return [
    defineTool({
      name: 'get_service_info',
      title: '获取服务信息',
      category: 'projects',
      description: '查询项目：价格、疗程、恢复期、功效、禁忌，以及实际治疗次数与满意度。',
      input,
      output: z.object({ total: count, services: z.array(service), basis: basisSchema }),
      annotations: reads,
      run: (query) => {
        const found = select(listServices(clinic), query)
        const services = found
          .slice(0, query.limit)
          .map((one) => ({ ...one, use: getServiceUse(clinic, one.service_id) }))
        const ids = services.map(({ service_id }) => service_id)
        return { total: found.length, services, basis: toBasis(clinic, { services: ids }) }
      },
    }),
  ]
}

function select(services: Service[], query: z.output<typeof input>): Service[] {
  if (query.service_id) return [findService(services, query.service_id)]
  return services
    .filter(({ category }) => query.category === '全部' || category === query.category)
    .filter(
      ({ name, effects }) =>
        name.includes(query.keyword) || effects.some(({ concern }) => concern === query.keyword),
    )
}
