import { addDays, asOf, daysBetween } from '../database/index.ts'
import type { Consultation, Treatment } from '../records/index.ts'

/** What a rule says, and the rows it says it of. */
export interface Finding {
  rule: string
  finding: string
  rows: string[]
}

export interface Analysis {
  segment: string
  churn_risk: '低' | '中' | '高'
  treatments: number
  spent_yuan: number
  days_since_last_treatment: number | null
  average_satisfaction: number | null
  findings: Finding[]
}

export interface Visits {
  treatments: readonly Treatment[]
  consultations: readonly Consultation[]
}

const activeDays = 60
const dormantDays = 180
const highSpend = 20_000
const middleSpend = 5000
const lowSatisfaction = 3.5
const followUpDays = 90

/** Value and risk of a customer by recency, spending and satisfaction within the last months. */
export function analyse({ treatments, consultations }: Visits, months: number): Analysis {
  const from = addDays(asOf, -months * 30)
  const recent = treatments.filter(({ day }) => day >= from)
  const spent_yuan = recent.reduce((sum, { paid_yuan }) => sum + paid_yuan, 0)
  const last = treatments[0]
  const days = last ? daysBetween(last.day, asOf) : null
  const satisfaction = averageOf(recent)
  return {
    segment: toSegment(days, spent_yuan),
    churn_risk: toRisk(days, satisfaction),
    treatments: recent.length,
    spent_yuan,
    days_since_last_treatment: days,
    average_satisfaction: satisfaction,
    findings: [
      recency(last, days),
      spending(recent, spent_yuan, months),
      ...satisfied(recent, satisfaction),
      ...openQuestions({ treatments, consultations }),
    ],
  }
}

function toSegment(days: number | null, spent: number): string {
  if (days === null) return '未成交客户'
  if (days > dormantDays) return '沉睡客户'
  if (spent >= highSpend) return '高价值客户'
  return spent >= middleSpend ? '成长客户' : '普通客户'
}

function toRisk(days: number | null, satisfaction: number | null): Analysis['churn_risk'] {
  if (days === null || days > dormantDays) return '高'
  const isUnhappy = satisfaction !== null && satisfaction < lowSatisfaction
  if (isUnhappy) return '高'
  return days > activeDays ? '中' : '低'
}

function averageOf(treatments: readonly Treatment[]): number | null {
  const rated = treatments.flatMap(({ satisfaction }) => satisfaction ?? [])
  if (rated.length === 0) return null
  return Math.round((rated.reduce((sum, one) => sum + one, 0) / rated.length) * 100) / 100
}

function recency(last: Treatment | undefined, days: number | null): Finding {
  const rule = `R1 最近一次治疗：${activeDays} 天内为活跃，超过 ${dormantDays} 天为沉睡`
  if (!last) return { rule, finding: '没有治疗记录。', rows: [] }
  const finding = `最近一次治疗是 ${last.day} 的${last.service_name}，距今 ${days} 天。`
  return { rule, finding, rows: [last.treatment_id] }
}

function spending(recent: readonly Treatment[], spent: number, months: number): Finding {
  return {
    rule: `R2 消费：${highSpend} 元起为高价值，${middleSpend} 元起为成长`,
    finding: `近 ${months} 个月治疗 ${recent.length} 次，消费 ${spent} 元。`,
    rows: recent.map(({ treatment_id }) => treatment_id),
  }
}

function satisfied(recent: readonly Treatment[], average: number | null): Finding[] {
  if (average === null) return []
  const rated = recent.filter(({ satisfaction }) => satisfaction !== null)
  return [
    {
      rule: `R3 满意度：平均低于 ${lowSatisfaction} 分为流失风险高`,
      finding: `${rated.length} 次评价，平均 ${average} 分。`,
      rows: rated.map(({ treatment_id }) => treatment_id),
    },
  ]
}

/** Asked about lately, undecided, and not done since. */
function openQuestions({ treatments, consultations }: Visits): Finding[] {
  return consultations
    .filter(({ outcome, day }) => outcome === '考虑中' && daysBetween(day, asOf) <= followUpDays)
    .filter(
      ({ service_id, day }) => !treatments.some((t) => t.service_id === service_id && t.day > day),
    )
    .map(({ consultation_id, service_name, day }) => ({
      rule: `R4 跟进：${followUpDays} 天内咨询后仍在考虑的项目`,
      finding: `${day} 咨询了${service_name}，尚未决定，建议回访。`,
      rows: [consultation_id],
    }))
}
