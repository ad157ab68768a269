import type { DataQuestion } from '@dataagent/schema'
import { isFaint, isNumberToken, isWeak, type Tokens, toTokens } from './tokens.ts'

type Asked = Pick<DataQuestion, 'question' | 'also'>

export interface QuestionMatch<Q extends Asked> {
  question: Q
  /** From 0 to 1: 1 where the words are the same. */
  score: number
  /** The next best, which the words mean clearly less. */
  runnerUp: Scored<Q> | undefined
}

interface Scored<Q> {
  question: Q
  score: number
}

/** Finds the question that someone's words mean, by rules. Undefined where that is not clear. */
export interface QuestionMatcher<Q extends Asked> {
  match(text: string): QuestionMatch<Q> | undefined
}

/** One way to ask a question. */
interface Phrasing<Q> {
  question: Q
  tokens: Tokens
  weight: number
}

/** Phrasings of one language with the same keys, and in which of them a token is. */
interface Bucket<Q> {
  phrasings: Phrasing<Q>[]
  places: Map<string, number[]>
}

const textMax = 500
const weakWeight = 0.2
const faintWeight = 0.1
/** A word that no question has says that something else is meant. */
const unknownWeight = 1.5
/** Which part of a text may be in no words of the question. */
const uncoveredMax = 0.14
const scoreMin = 0.8
const marginMin = 0.02
const chineseFirst = ['zh', 'other'] as const
const chineseLast = ['other', 'zh'] as const

export function createQuestionMatcher<Q extends Asked>(
  questions: readonly Q[],
): QuestionMatcher<Q> {
  const asked = questions.flatMap((question) =>
    [question.question, ...question.also].map((text) => ({ question, tokens: toTokens(text) })),
  )
  const weightOf = createWeights(asked.map(({ tokens }) => tokens))
  const weigh = (tokens: Iterable<string>) => [...tokens].reduce((sum, t) => sum + weightOf(t), 0)
  const buckets = new Map<string, Bucket<Q>>()
  for (const one of asked) {
    const { keys, all, language } = one.tokens
    const name = `${language} ${keys}`
    const bucket: Bucket<Q> = buckets.get(name) ?? { phrasings: [], places: new Map() }
    buckets.set(name, bucket)
    for (const token of all) {
      const places = bucket.places.get(token) ?? []
      bucket.places.set(token, places)
      places.push(bucket.phrasings.length)
    }
    bucket.phrasings.push({ ...one, weight: weigh(all) })
  }

  /** How much of the text each phrasing has. */
  function share({ phrasings, places }: Bucket<Q>, tokens: Tokens): Float64Array {
    const shared = new Float64Array(phrasings.length)
    for (const token of tokens.all) {
      const weight = weightOf(token)
      for (const at of places.get(token) ?? []) shared[at] = (shared[at] ?? 0) + weight
    }
    return shared
  }

  /** The best first. */
  function score(tokens: Tokens, language: Tokens['language']): Scored<Q>[] {
    const bucket = buckets.get(`${language} ${tokens.keys}`)
    if (bucket === undefined) return []
    const weight = weigh(tokens.all)
    const numbers = [...tokens.all].filter(isNumberToken)
    const shared = share(bucket, tokens)
    const best = new Map<Q, number>()
    for (const [at, { question, tokens: own, weight: ownWeight }] of bucket.phrasings.entries()) {
      const common = shared[at] ?? 0
      if (weight - common > uncoveredMax * weight) continue
      // The ten best are not the five best.
      if (!numbers.every((number) => own.all.has(number))) continue
      const score = (2 * common) / (weight + ownWeight)
      if (score > (best.get(question) ?? 0)) best.set(question, score)
    }
    return [...best]
      .map(([question, score]) => ({ question, score }))
      .toSorted((a, b) => b.score - a.score)
  }

  return {
    match(text) {
      if (text.length > textMax) return undefined
      const tokens = toTokens(text)
      if (tokens.all.size === 0) return undefined
      // One in the language of the text goes before one that says the same in the other.
      const isChinese = tokens.language === 'zh'
      for (const language of isChinese ? chineseFirst : chineseLast) {
        const [first, runnerUp] = score(tokens, language)
        if (first === undefined || first.score < scoreMin) continue
        const isClear = !runnerUp || first.score - runnerUp.score >= marginMin
        return isClear ? { ...first, runnerUp } : undefined
      }
      return undefined
    },
  }
}

/** The rarer a word among all phrasings, the more it says. */
function createWeights(all: readonly Tokens[]): (token: string) => number {
  const counts = new Map<string, number>()
  for (const tokens of all)
    for (const token of tokens.all) counts.set(token, (counts.get(token) ?? 0) + 1)
  const scale = Math.log(1 + all.length)
  return (token) => {
    if (isFaint(token)) return faintWeight
    if (isWeak(token)) return weakWeight
    const count = counts.get(token)
    return count === undefined ? unknownWeight : 0.5 + Math.log(1 + all.length / count) / scale
  }
}
