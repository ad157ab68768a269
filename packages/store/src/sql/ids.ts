import { AppError } from '@dataagent/schema'

/**
 * Refuses an id that not every database would keep apart from its neighbours: MySQL compares 'a'
 * and 'a ' as equal, PostgreSQL refuses NUL, and the columns end at 191 characters.
 */
export function assertId(field: string, id: string): void {
  const fits = id.length > 0 && id.length <= 191 && id.trim() === id && id.isWellFormed()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (fits && !/[\u0000-\u001f\u007f]/.test(id)) return
  throw new AppError(
    'invalid_request',
    `${field} must have 1 to 191 characters, none of them a control character, and no space at either end`,
  )
}
