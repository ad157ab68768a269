/** RFC 5424, the gravest last. */
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

export function isLogLevel(level: unknown): level is (typeof logLevels)[number] {
  return logLevels.some((known) => known === level)
}

/** Whether a client that asked for `wanted` sees a message of `level`; without, it sees none. */
export function isLogWanted(level: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return false
  const levels: readonly string[] = logLevels
  const at = levels.indexOf(level)
  return at === -1 || at >= levels.indexOf(wanted)
}
