/** Names for a label: as they are, up to a number of them; beyond it `other`. */
export function createBoundedNames(max: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= max) return 'other'
    known.add(name)
    return name
  }
}
