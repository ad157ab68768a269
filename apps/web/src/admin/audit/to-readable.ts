/** JSON with lines of its own; any other text as it is. */
export function toReadable(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : text
  } catch {
    return text
  }
}

export interface ChangedField {
  field: string
  before: string | undefined
  after: string | undefined
}

/** The fields in which two JSON objects differ; undefined where there was none. */
export function changedFields(before: string | null, after: string | null): ChangedField[] {
  const [old, now] = [toObject(before), toObject(after)]
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return fields
    .map((field) => ({ field, before: toText(old[field]), after: toText(now[field]) }))
    .filter((one) => one.before !== one.after)
}

function toObject(text: string | null): Record<string, unknown> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
    return { value }
  } catch {
    return { value: text }
  }
}

function toText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
