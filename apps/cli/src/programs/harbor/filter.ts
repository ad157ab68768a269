import type { Question } from '@dataagent/schema'
import { UsageError } from './files.ts'
import { words } from './words.ts'

const keys = ['tag', 'category', 'difficulty', 'id'] as const
type Key = (typeof keys)[number]

export interface Filter {
  /** Undefined: whichever fits. */
  key: Key | undefined
  value: string
}

/** `tag=NAME`, `category=NAME`, `difficulty=NAME`, `id=ID`, or a name alone. */
export function toFilters(said: readonly string[]): Filter[] {
  return said.map((text) => {
    const [, key, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
    if (key === undefined) return { key: undefined, value: text }
    if (!keys.some((one) => one === key)) throw new UsageError(words.badFilter(key, keys))
    return { key: key as Key, value }
  })
}

/** Of filters of one kind one must fit, and so for each kind. */
export function fits(question: Question, filters: readonly Filter[]): boolean {
  const kinds = Map.groupBy(filters, ({ key }) => key)
  return [...kinds.values()].every((some) =>
    some.some(({ key, value }) =>
      (key === undefined ? keys : [key]).some((one) => valuesOf[one](question).includes(value)),
    ),
  )
}

const valuesOf: Readonly<Record<Key, (question: Question) => readonly (string | null)[]>> = {
  tag: ({ tags }) => tags,
  category: ({ category }) => [category],
  difficulty: ({ difficulty }) => [difficulty],
  id: ({ question_id }) => [question_id],
}
