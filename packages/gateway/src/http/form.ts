import type { PlainRequest } from './contract.ts'

/** What was sent under each name; or the name that was sent more than once. */
export type Fields =
  | { status: 'ok'; fields: ReadonlyMap<string, string> }
  | { status: 'repeated'; name: string }

/** Undefined where the body is not of the media type that forms have. */
export function readForm({ headers, body }: PlainRequest): URLSearchParams | undefined {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()
  return type === 'application/x-www-form-urlencoded' ? new URLSearchParams(body) : undefined
}

/**
 * Parameters without those that are empty, which count as not sent; none may be there twice
 * (RFC 6749 §3.1, §3.2).
 */
export function toFields(parameters: URLSearchParams): Fields {
  const fields = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (fields.has(name)) return { status: 'repeated', name }
    fields.set(name, value)
  }
  return { status: 'ok', fields: new Map([...fields].filter(([, value]) => value !== '')) }
}
