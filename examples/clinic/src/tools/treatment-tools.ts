import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import { type Clinic, concerns } from '../database/index.ts'
import { getCustomer, listServices, listTreatments } from '../records/index.ts'
import { goals, makePlan, optimise, optimiseRules, planRules, toWishes } from '../rules/index.ts'
import { basisSchema, toBasis } from './basis.ts'
import { type Enrich, enriched, enrichmentSchema } from './enrichment.ts'
import { budget, count, customerId, day, reads, yuan } from './fields.ts'

const item = z.object({
  service_id: z.string(),
  name: z.string(),
  sessions: z.int(),
  price_yuan: yuan,
  subtotal_yuan: yuan,
  interval_days: z.int(),
  first_on: day,
  last_on: day,
  reason: z.string(),
})
const totals = { total_yuan: yuan, sessions: count, ends_on: day.nullable() }
const excluded = z.object({
  service_id: z.string(),
  name: z.string(),
  cautions: z.array(z.string()),
})
const rest = {
  customer_id: z.string(),
  name: z.string(),
  budget_yuan: yuan,
  basis: basisSchema,
  advice: z.string(),
  enrichment: enrichmentSchema,
}
const advice = '由规则生成，供参考；治疗前须由医生面诊确认。'

export function createTreatmentTools(clinic: Clinic, enrich: Enrich | undefined): OwnTool[] {
  return [
    defineTool({
      name: 'generate_treatment_plan',
      title: '生成治疗方案',
      category: 'treatment',
      description: `按客户的诉求、禁忌、预算和治疗记录，用固定规则生成治疗方案与排期。诉求可为：${concerns.join('、')}。`,
      input: z.object({
        customer_id: customerId,
        concerns: z
          .array(z.enum(concerns))
          .max(10)
          .default([])
          .describe('针对的诉求；不填则用客户档案中的诉求'),
        budget_yuan: budget,
        max_services: z.int().min(1).max(6).default(3).describe('最多几个项目，1 到 6'),
      }),
      output: z.object({
        ...rest,
        items: z.array(item),
        ...totals,
        excluded: z.array(excluded).describe('因禁忌排除的项目'),
        uncovered: z.array(z.string()).describe('方案未能覆盖的诉求'),
      }),
      annotations: reads,
      run: ({ customer_id, concerns, budget_yuan, max_services }, { signal }) => {
        const { customer, ...facts } = factsOf(clinic, customer_id)
        const budget = budget_yuan ?? customer.budget_yuan
        const wishes = toWishes(customer, concerns)
        const plan = makePlan({ ...facts, customer, wishes, budget_yuan: budget, max_services })
        const basis = toBasis(clinic, rowsOf(customer_id, plan.items, facts.treatments), planRules)
        const { name } = customer
        const result = { customer_id, name, budget_yuan: budget, ...plan, basis, advice }
        return enriched(enrich, { tool: 'generate_treatment_plan', result }, signal)
      },
    }),
    defineTool({
      name: 'optimize_plan',
      title: '优化方案',
      category: 'treatment',
      description:
        '按目标（cost 省钱、time 省时、effect 效果）优化一份方案：移出禁忌项目、合并重复、替换、控制预算，并说明每处改动。',
      input: z.object({
        customer_id: customerId,
        items: z
          .array(
            z.object({
              service_id: z.string().min(1).max(20).describe('项目编号，如 S02'),
              sessions: z.int().min(1).max(50).describe('次数'),
            }),
          )
          .min(1)
          .max(20)
          .describe('现有方案的项目和次数'),
        goal: z.enum(goals).default('cost').describe('目标：cost、time 或 effect'),
        budget_yuan: budget,
      }),
      output: z.object({
        ...rest,
        goal: z.enum(goals),
        items: z.array(item),
        changes: z.array(z.object({ rule: z.string(), change: z.string() })),
        before: z.object(totals),
        after: z.object(totals),
      }),
      annotations: reads,
      run: ({ customer_id, items, goal, budget_yuan }, { signal }) => {
        const { customer, ...facts } = factsOf(clinic, customer_id)
        const budget = budget_yuan ?? customer.budget_yuan
        const wishes = toWishes(customer, [])
        const made = optimise({ ...facts, customer, wishes, items, goal, budget_yuan: budget })
        const used = [...items, ...made.items]
        const basis = toBasis(clinic, rowsOf(customer_id, used, facts.treatments), optimiseRules)
        const { name } = customer
        const result = { customer_id, name, goal, budget_yuan: budget, ...made, basis, advice }
        return enriched(enrich, { tool: 'optimize_plan', result }, signal)
      },
    }),
  ]
}

function factsOf(clinic: Clinic, customer_id: string) {
  const customer = getCustomer(clinic, customer_id)
  const treatments = listTreatments(clinic, customer_id)
  return { customer, services: listServices(clinic), treatments }
}

function rowsOf(
  customer_id: string,
  items: readonly { service_id: string }[],
  treatments: readonly { treatment_id: string }[],
) {
  return {
    customers: [customer_id],
    services: [...new Set(items.map(({ service_id }) => service_id))],
    treatments: treatments.map(({ treatment_id }) => treatment_id),
  }
}
