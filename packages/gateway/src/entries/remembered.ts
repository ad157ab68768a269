/** The latest values under their names; the oldest gives way. */
export function createRemembered<T>(max: number) {
  const values = new Map<string, T>()

  return {
    get: (name: string): T | undefined => values.get(name),
    set(name: string, value: T): T {
      if (values.size >= max) values.delete(values.keys().next().value as string)
      values.set(name, value)
      return value
    },
  }
}
