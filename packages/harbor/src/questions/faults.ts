import { AppError, type FieldError } from '@dataagent/schema'

/** One thing that is wrong in a text of questions. */
export interface Fault extends Partial<FieldError> {
  /** `question 3 (line 12)`, `line 4` or nothing, of the whole. */
  place: string
  message: string
}

const toldMax = 5

/** The error for all that is wrong at once, so that a person mends a file in one go. */
export function toQuestionsError(faults: readonly Fault[]): AppError {
  const told = faults.slice(0, toldMax).map(({ place, message }) => `${place}: ${message}`)
  if (faults.length > toldMax) told.push(`and ${faults.length - toldMax} more`)
  return new AppError('invalid_request', `the questions do not fit: ${told.join('; ')}`, {
    data: { errors: faults },
  })
}

export function toSyntaxError(what: string, line: number | undefined, cause: unknown): AppError {
  const detail = cause instanceof Error ? cause.message.split(/ at line \d|:\n/)[0] : String(cause)
  const place = line === undefined ? '' : ` in line ${line}`
  const text = (detail ?? '').replace(/\s+/g, ' ').slice(0, 300)
  return new AppError('parse_error', `the ${what} cannot be read${place}: ${text}`, {
    cause,
    data: { ...(line !== undefined && { line }) },
  })
}
