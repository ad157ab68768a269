import type { Fact, RecallOptions } from './contract.ts'
import { toTerms } from './to-terms.ts'

/** How much the length of a text lowers its score, and how soon repetition stops counting. */
const lengthWeight = 0.5
const saturation = 1.2
const queryCharacters = 2000

/** The facts that share terms with the query, best first (BM25), then the newer ones. */
export function rank(
  facts: readonly Fact[],
  query: string,
  { limit = 8, maxCharacters = 4000 }: RecallOptions = {},
): Fact[] {
  const wanted = new Set(toTerms(query.slice(0, queryCharacters)))
  if (wanted.size === 0) return []
  const documents = facts.map((fact) => ({ fact, terms: termsOf(fact) }))
  const weights = toWeights(wanted, documents)
  const average = documents.reduce((sum, { terms }) => sum + terms.length, 0) / documents.length
  const scored = documents.flatMap(({ fact, terms }) => {
    const score = scoreOf(terms, weights, average)
    return score > 0 ? { fact, score } : []
  })
  scored.sort((a, b) => b.score - a.score || b.fact.created_at - a.fact.created_at)
  return fitting(scored.map(({ fact }) => fact).slice(0, limit), maxCharacters)
}

const keptTerms = new WeakMap<Fact, string[]>()

function termsOf(fact: Fact): string[] {
  const known = keptTerms.get(fact)
  if (known) return known
  const terms = toTerms(fact.text)
  keptTerms.set(fact, terms)
  return terms
}

/** As many from the beginning as have no more characters than allowed together. */
function fitting(facts: readonly Fact[], maxCharacters: number): Fact[] {
  let left = maxCharacters
  return facts.filter(({ text }) => {
    if (text.length > left) return false
    left -= text.length
    return true
  })
}

/** A term weighs the more, the fewer facts have it. */
function toWeights(wanted: ReadonlySet<string>, documents: readonly { terms: string[] }[]) {
  const holding = new Map<string, number>()
  for (const { terms } of documents) {
    for (const term of new Set(terms)) {
      if (wanted.has(term)) holding.set(term, (holding.get(term) ?? 0) + 1)
    }
  }
  const total = documents.length
  return new Map(
    [...holding].map(([term, count]) => [
      term,
      Math.log(1 + (total - count + 0.5) / (count + 0.5)),
    ]),
  )
}

function scoreOf(terms: string[], weights: ReadonlyMap<string, number>, average: number): number {
  const counts = new Map<string, number>()
  for (const term of terms) {
    if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const length = 1 - lengthWeight + (lengthWeight * terms.length) / average
  let score = 0
  for (const [term, count] of counts) {
    score += ((weights.get(term) ?? 0) * count * (saturation + 1)) / (count + saturation * length)
  }
  return score
}
