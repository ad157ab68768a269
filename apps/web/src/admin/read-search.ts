type Texts<T extends string> = { [Name in T]?: string }
type Numbers<N extends string> = { [Name in N]?: number }

interface Known<T extends string, N extends string> {
  texts?: readonly T[]
  numbers?: readonly N[]
}

/** Reads what a page knows of the part of an address behind `?`; what does not fit is left out. */
export function searchReader<T extends string = never, N extends string = never>({
  texts = [],
  numbers = [],
}: Known<T, N>) {
  return (search: Record<string, unknown>): Texts<T> & Numbers<N> => {
    const found: Record<string, string | number> = {}
    for (const name of texts) {
      const value = search[name]
      const isText = typeof value === 'string' || typeof value === 'number'
      if (isText && value !== '') found[name] = String(value).slice(0, 512)
    }
    for (const name of numbers) {
      const value = Number(search[name] ?? Number.NaN)
      if (Number.isSafeInteger(value) && value >= 0) found[name] = value
    }
    return found as Texts<T> & Numbers<N>
  }
}
