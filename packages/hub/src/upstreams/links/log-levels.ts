/** From the one that tells most (RFC 5424, as MCP names them). */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** The one of them that tells most; undefined where none is known. */
export function mostVerbose(given: readonly (string | undefined)[]): string | undefined {
  return logLevels.find((level) => given.includes(level))
}
