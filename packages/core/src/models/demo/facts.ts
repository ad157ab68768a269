/** A remembered fact as `recall` and the notes in the system prompt tell of it. */
export interface Fact {
  text: string
  fact_id: string
}

const line = /^- (.{1,4000}) \(\d{4}-\d{2}-\d{2}, ([\w-]{1,64})\)$/gmu

export function readFacts(text: string): Fact[] {
  return [...text.matchAll(line)].map(([, fact = '', fact_id = '']) => ({ text: fact, fact_id }))
}

/** The facts that the memory has put into the system prompt. */
export function readNotes(system: string): Fact[] {
  const from = system.lastIndexOf('## Memory\n')
  return from === -1 ? [] : readFacts(system.slice(from))
}

/** How much of what was said a fact must have. */
const shareMin = 0.5

/** The one fact that has most of what was said; undefined where none or several have. */
export function closestFact(said: string, facts: readonly Fact[]): Fact | undefined {
  const terms = toTerms(said)
  const scored = facts.map((fact) => {
    const own = new Set(toTerms(fact.text))
    return { fact, share: terms.filter((term) => own.has(term)).length / terms.length }
  })
  scored.sort((a, b) => b.share - a.share)
  const [best, second] = scored
  const isClear = best && best.share >= shareMin && best.share > (second?.share ?? 0)
  return isClear ? best.fact : undefined
}

/** Words, and every two Chinese characters that stand together. */
function toTerms(text: string): string[] {
  const start = text.slice(0, 2_000).toLowerCase()
  const words = start.match(/[a-z\d]+/g) ?? []
  const pairs = [...start.matchAll(/(?=(\p{Script=Han}{2}))/gu)].map(([, pair = '']) => pair)
  return [...new Set([...words.filter((word) => !idle.has(word)), ...pairs])]
}

const idle: ReadonlySet<string> = new Set('i my me you that the a an is are am of to'.split(' '))
