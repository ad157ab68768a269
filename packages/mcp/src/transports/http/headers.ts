export type Headers = Readonly<Record<string, string>>

/** All of them, names in lower case; of two with the same name the later one counts. */
export function mergeHeaders(...parts: (Headers | undefined)[]): Record<string, string> {
  const merged: Record<string, string> = {}
  for (const part of parts) {
    for (const name in part) merged[name.toLowerCase()] = part[name] as string
  }
  return merged
}
