import type { Caution, Concern } from '../database/index.ts'
import type { Customer, Service } from '../records/index.ts'

/** A concern that a plan is for, and how much it matters: 1 to 3. */
export interface Wish {
  concern: Concern
  severity: number
}

/** A service that may be done, and how much it does for the wishes. */
export interface Candidate {
  service: Service
  score: number
  /** Concerns of the wishes that it helps with. */
  helps: Concern[]
}

export interface Excluded {
  service_id: string
  name: string
  cautions: Caution[]
}

export const candidateRules = {
  caution: 'P1 禁忌：客户有的禁忌，项目列为不宜的，一律排除',
  score: 'P2 评分：项目对诉求的强度 × 诉求的程度，求和',
}

/** The customer's own concerns, or those that were asked for. */
export function toWishes(customer: Customer, asked: readonly Concern[]): Wish[] {
  if (asked.length === 0) return customer.concerns
  const known = new Map(customer.concerns.map(({ concern, severity }) => [concern, severity]))
  return [...new Set(asked)].map((concern) => ({ concern, severity: known.get(concern) ?? 2 }))
}

/** Why not, by what speaks against it for this customer. */
export function cautionsOf(service: Service, customer: Customer): Caution[] {
  return service.cautions.filter((caution) => customer.cautions.includes(caution))
}

export function rate(service: Service, wishes: readonly Wish[]): Candidate {
  const matches = service.effects.flatMap(({ concern, strength }) => {
    const wish = wishes.find((one) => one.concern === concern)
    return wish ? [{ concern, points: strength * wish.severity }] : []
  })
  return {
    service,
    score: matches.reduce((sum, { points }) => sum + points, 0),
    helps: matches.map(({ concern }) => concern),
  }
}

/** What helps with the wishes and may be done, best first; and what helps and may not. */
export function rankServices(
  services: readonly Service[],
  customer: Customer,
  wishes: readonly Wish[],
): { candidates: Candidate[]; excluded: Excluded[] } {
  const helpful = services.map((service) => rate(service, wishes)).filter(({ score }) => score > 0)
  const [safe, unsafe] = [
    helpful.filter(({ service }) => cautionsOf(service, customer).length === 0),
    helpful.filter(({ service }) => cautionsOf(service, customer).length > 0),
  ]
  return {
    candidates: safe.sort((a, b) => b.score - a.score || coursePrice(a) - coursePrice(b)),
    excluded: unsafe.map(({ service }) => ({
      service_id: service.service_id,
      name: service.name,
      cautions: cautionsOf(service, customer),
    })),
  }
}

function coursePrice({ service }: Candidate): number {
  return service.price_yuan * service.sessions
}
