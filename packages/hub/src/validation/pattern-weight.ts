/**
 * How much a pattern is once its repeats are written out, as RE2 does, in characters. An estimate
 * from above: counts multiply where a group is repeated, and classes of letters are large.
 */
export function weighPattern(pattern: string): number {
  const hasRepeatedGroup = /\)\{/.test(pattern)
  let written = hasRepeatedGroup ? 1 : 0
  for (const [, from, to] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    const times = Math.max(1, Number(to || from))
    written = hasRepeatedGroup ? written * times : written + times
  }
  return pattern.length + written * (/\\[pPsS]/.test(pattern) ? classSize : 1)
}

const classSize = 8
