import type { Customer, Service, Treatment } from '../records/index.ts'
import { findService } from '../records/index.ts'
import { type Candidate, cautionsOf, rankServices, rate, type Wish } from './candidates.ts'
import { affordable } from './plan.ts'
import {
  type Chosen,
  type PlanItem,
  schedule,
  scheduleRules,
  type Totals,
  totalsOf,
} from './schedule.ts'

export const goals = ['cost', 'time', 'effect'] as const
export type Goal = (typeof goals)[number]

export interface Wanted {
  service_id: string
  sessions: number
}

export interface Change {
  rule: string
  change: string
}

export interface Optimised {
  items: PlanItem[]
  changes: Change[]
  before: Totals
  after: Totals
}

export interface OptimiseNeeds {
  customer: Customer
  services: readonly Service[]
  treatments: readonly Treatment[]
  wishes: readonly Wish[]
  items: readonly Wanted[]
  goal: Goal
  budget_yuan: number
}

const rules = {
  caution: 'O1 禁忌：客户不宜的项目移出',
  merge: 'O2 合并：同一项目只列一次，次数相加，不超过一个疗程',
  replace: 'O3 替换：换成覆盖同样诉求、评分不低，且按目标更优的项目',
  budget: 'O4 预算：超出预算时，从每元评分最低的项目起减少次数或移出',
}

export const optimiseRules = [...Object.values(rules), ...Object.values(scheduleRules)]

/** What is better for each goal: less is better. */
const measures: Record<Goal, (candidate: Candidate) => number> = {
  cost: ({ service }) => service.price_yuan * service.sessions,
  time: ({ service }) => (service.sessions - 1) * service.interval_days + service.recovery_days,
  effect: ({ score }) => -score,
}

/** The same plan made safe, without repetition, better by the goal and within the budget. */
export function optimise(needs: OptimiseNeeds): Optimised {
  const { services, customer, wishes, treatments } = needs
  const given = needs.items.map(({ service_id, sessions }) => ({
    service: findService(services, service_id),
    sessions,
    reason: '原方案',
  }))
  const changes: Change[] = []
  const { candidates } = rankServices(services, customer, wishes)
  const safe = given.filter((one) => isSafe(one, customer, changes))
  const replaced = merge(safe, changes).map((one) =>
    replace(one, { ...needs, candidates }, changes),
  )
  const fitting = withinBudget(merge(replaced, changes), needs, changes)
  const [before, items] = [schedule(given, treatments), schedule(fitting, treatments)]
  return { items, changes, before: totalsOf(before), after: totalsOf(items) }
}

function isSafe({ service }: Chosen, customer: Customer, changes: Change[]): boolean {
  const against = cautionsOf(service, customer)
  if (against.length === 0) return true
  changes.push({ rule: rules.caution, change: `移出${service.name}：${against.join('、')}` })
  return false
}

function merge(chosen: readonly Chosen[], changes: Change[]): Chosen[] {
  const groups = Map.groupBy(chosen, ({ service }) => service.service_id)
  return [...groups.values()].map((same) => {
    const { service, reason } = same[0]!
    const asked = same.reduce((sum, { sessions }) => sum + sessions, 0)
    const sessions = Math.min(asked, service.sessions)
    const isChanged = same.length > 1 || sessions < asked
    if (isChanged) changes.push({ rule: rules.merge, change: `${service.name}合计 ${sessions} 次` })
    return { service, sessions, reason }
  })
}

function replace(
  chosen: Chosen,
  { candidates, wishes, goal }: OptimiseNeeds & { candidates: readonly Candidate[] },
  changes: Change[],
): Chosen {
  const own = rate(chosen.service, wishes)
  const measure = measures[goal]
  const better = candidates
    .filter(
      ({ score, helps }) => score >= own.score && own.helps.every((one) => helps.includes(one)),
    )
    .filter((candidate) => own.score > 0 && measure(candidate) < measure(own))
    .toSorted((a, b) => measure(a) - measure(b))[0]
  if (!better) return chosen
  const change = `${chosen.service.name}换为${better.service.name}`
  changes.push({ rule: rules.replace, change })
  return { service: better.service, sessions: better.service.sessions, reason: change }
}

function withinBudget(
  chosen: readonly Chosen[],
  needs: OptimiseNeeds,
  changes: Change[],
): Chosen[] {
  const worth = ({ service }: Chosen) => rate(service, needs.wishes).score / service.price_yuan
  let left = needs.budget_yuan
  return chosen
    .toSorted((a, b) => worth(b) - worth(a))
    .flatMap((one) => {
      const { service } = one
      const most =
        service.price_yuan * one.sessions <= left ? one.sessions : affordable(service, left)
      const sessions = Math.min(one.sessions, most)
      left -= sessions * service.price_yuan
      if (sessions < one.sessions) changes.push(lessOf(one, sessions))
      return sessions > 0 ? [{ ...one, sessions }] : []
    })
}

function lessOf({ service, sessions: before }: Chosen, sessions: number): Change {
  const change =
    sessions > 0
      ? `${service.name}由 ${before} 次减为 ${sessions} 次`
      : `移出${service.name}：超出预算`
  return { rule: rules.budget, change }
}
