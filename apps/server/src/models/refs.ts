const place = '#/components/schemas/'

/** A reference to a schema of the document by its name. */
export function toRef(name: string): { $ref: string } {
  return { $ref: `${place}${name}` }
}

/** The name in a reference to a schema of the document. */
export function nameInRef(ref: unknown): string | undefined {
  return typeof ref === 'string' && ref.startsWith(place) ? ref.slice(place.length) : undefined
}

/** The same value with every schema that it refers to renamed. */
export function mapRefs<T>(value: T, rename: (name: string) => string): T {
  if (Array.isArray(value)) return value.map((one) => mapRefs(one, rename)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => {
    const name = key === '$ref' ? nameInRef(one) : undefined
    return [key, name === undefined ? mapRefs(one, rename) : toRef(rename(name)).$ref]
  })
  return Object.fromEntries(entries) as T
}

/** The names of all schemas that the value refers to. */
export function refsOf(value: unknown): string[] {
  const found: string[] = []
  mapRefs(value, (name) => {
    found.push(name)
    return name
  })
  return found
}
