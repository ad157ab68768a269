import { isClientError } from '@dataagent/client'

/** Why the caller has no servers of their own here; undefined where they may, or it failed. */
export function toAbsence(error: unknown): 'off' | 'forbidden' | undefined {
  if (!isClientError(error)) return undefined
  if ([404, 405, 501].includes(error.status)) return 'off'
  return error.status === 403 ? 'forbidden' : undefined
}
