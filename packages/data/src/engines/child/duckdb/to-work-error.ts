import type { RunnerSource } from '../../runner/messages.ts'
import { WorkError } from '../work-error.ts'

const longestMessage = 2_000

/** What DuckDB says, without where the source lies. */
export function toWorkError(error: unknown, source: RunnerSource): WorkError {
  if (error instanceof WorkError) return error
  const place = 'folder' in source ? source.folder : source.path
  const said = String((error as Error).message)
    .replaceAll(place, '')
    .slice(0, longestMessage)
  if (/Could not set lock|Conflicting lock/.test(said)) {
    return new WorkError(
      'unavailable',
      'The database file is in use by a program that writes it. Ask again when that has ended.',
    )
  }
  if (/^Out of Memory Error|max_temp_directory_size/.test(said)) {
    return new WorkError(
      'too_large',
      'The query needs more memory than it may have. Filter or aggregate first, or sort less.',
    )
  }
  if (/^(?:IO|Permission) Error/.test(said)) return new WorkError('unavailable', said)
  return new WorkError('invalid_request', said)
}
