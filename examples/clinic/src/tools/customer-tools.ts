import { defineTool, type OwnTool } from '@dataagent/hub'
import { z } from 'zod'
import type { Clinic } from '../database/index.ts'
import { getCustomer, listConsultations, listTreatments } from '../records/index.ts'
import { analyse, findPreferences } from '../rules/index.ts'
import { basisSchema, toBasis } from './basis.ts'
import { type Enrich, enriched, enrichmentSchema } from './enrichment.ts'
import { count, customerId, limit, reads, yuan } from './fields.ts'

const preferences = z.array(z.object({ value: z.string(), count, share: z.number() }))

export function createCustomerTools(clinic: Clinic, enrich: Enrich | undefined): OwnTool[] {
  return [
    defineTool({
      name: 'analyze_customer',
      title: '客户分析',
      category: 'customer',
      description:
        '按最近治疗、消费、满意度和待跟进咨询，用固定规则分析客户价值与流失风险，并列出依据。',
      input: z.object({
        customer_id: customerId,
        months: z.int().min(1).max(36).default(12).describe('统计最近多少个月，1 到 36'),
      }),
      output: z.object({
        customer_id: z.string(),
        name: z.string(),
        segment: z.string().describe('客户分层'),
        churn_risk: z.enum(['低', '中', '高']),
        treatments: count,
        spent_yuan: yuan,
        days_since_last_treatment: z.int().nullable(),
        average_satisfaction: z.number().nullable(),
        findings: z.array(
          z.object({ rule: z.string(), finding: z.string(), rows: z.array(z.string()) }),
        ),
        basis: basisSchema,
        enrichment: enrichmentSchema,
      }),
      annotations: reads,
      run: ({ customer_id, months }, { signal }) => {
        const { name, visits, rows } = visitsOf(clinic, customer_id)
        const analysis = analyse(visits, months)
        const rules = analysis.findings.map(({ rule }) => rule)
        const basis = toBasis(clinic, rows, [...new Set(rules)])
        const result = { customer_id, name, ...analysis, basis }
        return enriched(enrich, { tool: 'analyze_customer', result }, signal)
      },
    }),
    defineTool({
      name: 'get_customer_preferences',
      title: '获取客户偏好',
      category: 'customer',
      description: '统计客户常选的项目类别、项目、医生、沟通渠道、到店星期和单次消费区间。',
      input: z.object({ customer_id: customerId, limit: limit(5) }),
      output: z.object({
        customer_id: z.string(),
        name: z.string(),
        categories: preferences,
        services: preferences,
        doctors: preferences,
        channels: preferences,
        weekdays: preferences,
        paid_yuan: z.object({ min: yuan, median: yuan, max: yuan }).nullable(),
        basis: basisSchema,
      }),
      annotations: reads,
      run: ({ customer_id, limit }) => {
        const { name, visits, rows } = visitsOf(clinic, customer_id)
        const basis = toBasis(clinic, rows, ['按次数从多到少，占比为次数 ÷ 总次数'])
        return { customer_id, name, ...findPreferences(visits, limit), basis }
      },
    }),
  ]
}

function visitsOf(clinic: Clinic, customer_id: string) {
  const { name } = getCustomer(clinic, customer_id)
  const treatments = listTreatments(clinic, customer_id)
  const consultations = listConsultations(clinic, customer_id)
  const rows = {
    treatments: treatments.map(({ treatment_id }) => treatment_id),
    consultations: consultations.map(({ consultation_id }) => consultation_id),
  }
  return { name, visits: { treatments, consultations }, rows }
}
