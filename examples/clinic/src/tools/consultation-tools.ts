import type { Clock } from '@dataagent/guard'
import { defineTool, type OwnTool, type Principal } from '@dataagent/hub'
import { z } from 'zod'
import { type Clinic, outcomes } from '../database/index.ts'
import { addSummary, getCustomer, listConsultations, listSummaries } from '../records/index.ts'
import { basisSchema, toBasis } from './basis.ts'
import { count, customerId, day, limit, reads } from './fields.ts'

const dateInput = z.iso.date()
const nextStep = z.object({
  action: z.string().min(1).max(500).describe('要做的事'),
  due_on: dateInput.optional().describe('截止日期，如 2026-07-15'),
})

const summary = {
  summary_id: z.int(),
  consultation_id: z.string(),
  summary: z.string(),
  key_points: z.array(z.string()),
  next_steps: z.array(z.object({ action: z.string(), due_on: z.string().optional() })),
  written_by: z.string(),
  written_at: z.string(),
}

const consultation = z.object({
  consultation_id: z.string(),
  consultant_id: z.string(),
  consultant_name: z.string(),
  day,
  channel: z.string(),
  concern: z.string(),
  service_id: z.string(),
  service_name: z.string(),
  outcome: z.enum(outcomes),
  summaries: z.array(z.object(summary)),
})

export function createConsultationTools(clinic: Clinic, clock: Clock): OwnTool[] {
  return [
    defineTool({
      name: 'get_consultation_history',
      title: '获取咨询历史',
      category: 'consultation',
      description: '列出客户的咨询记录，新的在前，可带上已写的咨询总结。',
      input: z.object({
        customer_id: customerId,
        limit: limit(10),
        since: dateInput.optional().describe('只要这一天及以后的，如 2026-01-01'),
        include_summaries: z.boolean().default(true).describe('是否带上咨询总结'),
      }),
      output: z.object({
        customer_id: z.string(),
        name: z.string(),
        total: count,
        consultations: z.array(consultation),
        basis: basisSchema,
      }),
      annotations: reads,
      run: (query) => getHistory(clinic, query),
    }),
    defineTool({
      name: 'create_consultation_summary',
      title: '创建咨询总结',
      category: 'consultation',
      description: '为一次咨询写下总结、要点和后续事项。每次调用都会新增一条。',
      input: z.object({
        consultation_id: z.string().min(1).max(20).describe('咨询编号，如 C00042'),
        summary: z.string().trim().min(1).max(5000).describe('总结正文'),
        key_points: z.array(z.string().min(1).max(500)).max(20).default([]).describe('要点'),
        next_steps: z.array(nextStep).max(20).default([]).describe('后续事项'),
      }),
      output: z.object({ ...summary, basis: basisSchema }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
      run: (fields, { principal }) => {
        const written_at = new Date(clock.now()).toISOString()
        const added = addSummary(clinic, { ...fields, written_by: authorOf(principal), written_at })
        const rows = { consultation_summaries: [String(added.summary_id)] }
        return { ...added, basis: toBasis(clinic, rows) }
      },
    }),
  ]
}

/** A person, or the program that called for nobody in particular. */
function authorOf({ user_id, group_id, agent_id }: Principal): string {
  return user_id ?? group_id ?? agent_id ?? 'unknown'
}

interface HistoryQuery {
  customer_id: string
  limit: number
  since?: string | undefined
  include_summaries: boolean
}

function getHistory(clinic: Clinic, { customer_id, limit, since = '', ...query }: HistoryQuery) {
  const { name } = getCustomer(clinic, customer_id)
  const found = listConsultations(clinic, customer_id).filter(({ day }) => day >= since)
  const summaries = query.include_summaries ? listSummaries(clinic, customer_id) : []
  const consultations = found.slice(0, limit).map((one) => ({
    ...one,
    summaries: summaries.filter(({ consultation_id }) => consultation_id === one.consultation_id),
  }))
  const ids = consultations.map(({ consultation_id }) => consultation_id)
  const basis = toBasis(clinic, { consultations: ids })
  return { customer_id, name, total: found.length, consultations, basis }
}
