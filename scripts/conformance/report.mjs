/** @typedef {import('./expected-failures.mjs').Row} Row */

const heading = ['suite', 'scenario', 'verdict', 'pass', 'fail', 'warn', 'scored', 'seconds']

/**
 * The rows as aligned text, a line for each scenario, with the sums of each suite at the end.
 * @param {Row[]} rows
 */
export function toTable(rows) {
  const sorted = rows.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
  const lines = align([heading, ...sorted.map(toCells)])
  const warnings = sorted.flatMap((row) =>
    row.ran.warnings.map((warning) => `! ${nameOf(row)}  ${warning}`),
  )
  return [...lines, '', ...sumsOf(rows), ...warnings].join('\n')
}

function nameOf(/** @type {Row} */ { ran }) {
  return `${ran.run.suite.name} ${ran.run.scenario}`
}

function toCells(/** @type {Row} */ { ran, verdict }) {
  const { run, passed, failures, warnings, seconds } = ran
  return [
    run.suite.name,
    run.scenario,
    verdict,
    `${passed}`,
    `${failures.length}`,
    `${warnings.length}`,
    run.scored ? 'yes' : 'no',
    seconds.toFixed(1),
  ]
}

function sumsOf(/** @type {Row[]} */ rows) {
  const names = new Set(rows.map(({ ran }) => ran.run.suite.name))
  return [...names].sort().map((name) => {
    const own = rows.filter(({ ran }) => ran.run.suite.name === name)
    const checks = own.reduce((sum, { ran }) => sum + ran.passed, 0)
    const failing = own.filter(({ ran }) => ran.failures.length > 0)
    const unexpected = failing.filter(({ verdict }) => verdict === 'fail')
    const scored = unexpected.filter(({ ran }) => ran.run.scored)
    return (
      `${name}: ${own.length - failing.length} of ${own.length} scenarios pass, ${checks} checks; ` +
      `${failing.length - unexpected.length} fail as expected, ${unexpected.length} unexpectedly, ` +
      `${scored.length} of these scored`
    )
  })
}

/** @returns {string[]} */
function align(/** @type {string[][]} */ rows) {
  const widths = heading.map((_, column) => Math.max(...rows.map((row) => `${row[column]}`.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
