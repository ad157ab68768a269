/**
 * @param {import('./mutants.mjs').Mutant} mutant
 * @param {import('./runner.mjs').Fate} fate
 */
export function toLine({ file, line, what }, fate) {
  return `${file}:${line}  ${what}${fate === 'not reached' ? '  (no test comes here)' : ''}`
}

/** @param {({ name: string } & import('./try-subject.mjs').Score)[]} scores */
export function toTable(scores) {
  const rows = scores.map(({ name, all, tried, killed, survived, accepted }) =>
    [name, all, tried, killed, survived, accepted, toPercent(killed, tried)].map(String),
  )
  const table = [
    ['subject', 'mutants', 'tried', 'killed', 'survived', 'accepted', 'score'],
    ...rows,
  ]
  const width = Math.max(...scores.map(({ name }) => name.length), 9)
  return table
    .map((row) =>
      row
        .map((cell) => cell.padEnd(width))
        .join(' ')
        .trimEnd(),
    )
    .join('\n')
}

/** @type {(part: number, whole: number) => string} */
function toPercent(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
