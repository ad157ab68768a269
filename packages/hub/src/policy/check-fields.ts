import { AppError, isPlainObject } from '@dataagent/schema'
import { type Subject, subjectKinds } from '../principal.ts'
import type { AllowEntry } from './contract.ts'
import { whyNothingFits } from './tool-pattern.ts'

/** Each throws `invalid_request` with the field's name; what comes may be of any kind. */
export function checkSubject(subject: Subject, tenant_id?: string): void {
  checkObject('subject', subject)
  const { kind, id } = subject
  if (!subjectKinds.includes(kind)) throw invalid(`subject.kind: ${subjectKinds.join(', ')}`)
  checkId('subject.id', id)
  if (kind === 'tenant' && tenant_id !== undefined && id !== '*' && id !== tenant_id) {
    throw invalid('subject.id: another tenant cannot be spoken of; use "*" for this one')
  }
}

/** `at` is where the two fields stand: `entries[3].`. */
export function checkScope({ server_id, tool }: AllowEntry, at = ''): void {
  checkServerId(`${at}server_id`, server_id)
  if (typeof tool !== 'string') throw invalid(`${at}tool: expected a tool's name or a pattern`)
  const why = whyNothingFits(tool)
  if (why !== undefined) throw invalid(`${at}tool: no name can fit ${JSON.stringify(tool)}: ${why}`)
}

export function checkServerId(field: string, server_id: string): void {
  checkId(field, server_id)
  if (server_id === '*' || !/[*?[\]\\/]/.test(server_id)) return
  throw invalid(
    `${field}: ${JSON.stringify(server_id)} is no server's id; patterns are for tools, and "*" alone is every server`,
  )
}

export function checkId(field: string, id: string): void {
  const fits = typeof id === 'string' && id.length > 0 && id.length <= 191 && id.trim() === id
  if (fits && !/[\p{Cc}\p{Cs}]/u.test(id)) return
  throw invalid(`${field}: expected 1 to 191 characters, no control character, no space at an end`)
}

export function checkCount(field: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return
  throw invalid(`${field}: expected a whole number from ${least}`)
}

export function checkObject(field: string, value: unknown): void {
  if (!isPlainObject(value)) throw invalid(`${field}: expected an object`)
}

export function checkList(field: string, value: unknown, what: string): void {
  if (!Array.isArray(value)) throw invalid(`${field}: expected a list of ${what}`)
}

export function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
