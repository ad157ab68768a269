import { McpError } from '../errors.ts'
import { describe } from './words.ts'

/** How long a call, or an opening, may take where nothing else is said. */
export const defaultTimeoutMs = 30_000

/**
 * `given` where it is a time, `otherwise` where nothing is given or zero or less. `Infinity` is
 * for ever. Throws `config` for what is no number.
 */
export function toTimeoutMs(given: number | undefined, otherwise = defaultTimeoutMs): number {
  if (given === undefined) return otherwise
  if (typeof given === 'number' && !Number.isNaN(given)) return given > 0 ? given : otherwise
  const found = typeof given === 'number' ? 'NaN' : describe(given)
  const message = `mcp: timeoutMs must be a number of milliseconds, not ${found}`
  throw new McpError({ kind: 'config', code: 'config_invalid', message })
}
