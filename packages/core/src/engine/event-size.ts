import { AppError, type ExecutionEvent } from '@dataagent/schema'

/** Every log takes an event of 4 MiB; this leaves room for its place. */
const maxEventBytes = 4 * 1024 * 1024 - 16 * 1024
/** Of a character of JSON in UTF-8. */
const maxCharBytes = 3

/** What is wrong with an event that no log takes. */
export function tooLarge(kind: ExecutionEvent['event_type'], json: string): AppError | undefined {
  if (isWithin(json, maxEventBytes)) return undefined
  const told = `A ${kind} event of ${json.length} characters is too large to be kept.`
  return new AppError('too_large', told)
}

/** Whether a text has at most so many bytes. */
export function isWithin(text: string, bytes: number): boolean {
  return text.length * maxCharBytes <= bytes || Buffer.byteLength(text) <= bytes
}
