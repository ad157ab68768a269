import type { Customer, Service, Treatment } from '../records/index.ts'
import {
  type Candidate,
  candidateRules,
  type Excluded,
  rankServices,
  type Wish,
} from './candidates.ts'
import {
  type Chosen,
  type PlanItem,
  schedule,
  scheduleRules,
  type Totals,
  totalsOf,
} from './schedule.ts'

export interface Plan extends Totals {
  items: PlanItem[]
  excluded: Excluded[]
  /** Concerns that nothing in the plan helps with. */
  uncovered: string[]
}

export interface PlanNeeds {
  customer: Customer
  services: readonly Service[]
  treatments: readonly Treatment[]
  wishes: readonly Wish[]
  budget_yuan: number
  max_services: number
}

export const planRules = [
  ...Object.values(candidateRules),
  'P3 覆盖：按评分从高到低选择，已覆盖全部诉求的项目不再重复选择',
  'P4 预算：整个疗程放不进预算时减少次数，但不少于疗程的一半，否则跳过',
  ...Object.values(scheduleRules),
]

/** The best services for what the customer wants that may be done and fit the budget. */
export function makePlan(needs: PlanNeeds): Plan {
  const { candidates, excluded } = rankServices(needs.services, needs.customer, needs.wishes)
  const { chosen, covered } = choose(candidates, needs)
  const items = schedule(chosen, needs.treatments)
  const missed = needs.wishes.filter(({ concern }) => !covered.has(concern))
  return { items, ...totalsOf(items), excluded, uncovered: missed.map(({ concern }) => concern) }
}

function choose(candidates: readonly Candidate[], { budget_yuan, max_services }: PlanNeeds) {
  const chosen: Chosen[] = []
  const covered = new Set<string>()
  let left = budget_yuan
  for (const { service, score, helps } of candidates) {
    if (chosen.length === max_services) break
    const news = helps.filter((concern) => !covered.has(concern))
    const sessions = affordable(service, left)
    if (news.length === 0 || sessions === 0) continue
    for (const concern of helps) covered.add(concern)
    left -= sessions * service.price_yuan
    chosen.push({ service, sessions, reason: reasonOf(service, { score, news, sessions }) })
  }
  return { chosen, covered }
}

/** Sessions that fit; none where less than half a course would. */
export function affordable({ price_yuan, sessions }: Service, left: number): number {
  const fitting = Math.min(sessions, Math.floor(left / price_yuan))
  return fitting >= Math.ceil(sessions / 2) ? fitting : 0
}

function reasonOf(service: Service, made: { score: number; news: string[]; sessions: number }) {
  const cut =
    made.sessions < service.sessions
      ? `；疗程 ${service.sessions} 次，按预算减为 ${made.sessions} 次`
      : ''
  return `针对${made.news.join('、')}，评分 ${made.score}${cut}`
}
