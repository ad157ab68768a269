import { diffLines } from 'diff'

export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  /** Undefined where there is nothing on that side. */
  text: string | undefined
}

/** Two values line by line: texts as they are, all else as JSON. */
export function toDiffLines(before: unknown, after: unknown): DiffLine[] {
  if (before === undefined) return [{ kind: 'removed', text: undefined }, ...toSide('added', after)]
  if (after === undefined) return [...toSide('removed', before), { kind: 'added', text: undefined }]
  // Bounded: a hostile pair of texts must not hold up the page.
  const parts = diffLines(toText(before), toText(after), { maxEditLength: 1000 })
  if (!parts) return [...toSide('removed', before), ...toSide('added', after)]
  return parts.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return toLines(value).map((text) => ({ kind, text }) as const)
  })
}

function toSide(kind: DiffLine['kind'], value: unknown): DiffLine[] {
  return toLines(toText(value)).map((text) => ({ kind, text }))
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function toLines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n')
}
