/** @typedef {import('./run-suite.mjs').Tested} Tested */

/**
 * A line for each database, and what failed. A database without a test that passed is a fault too.
 * @param {readonly Tested[]} tests
 * @param {readonly string[]} chosen
 */
export function toLines(tests, chosen) {
  const judged = chosen.map((database) => judge(database, tests))
  return {
    lines: judged.map(({ line }) => line),
    faults: judged.flatMap(({ faults }) => faults),
  }
}

function judge(/** @type {string} */ database, /** @type {readonly Tested[]} */ tests) {
  const own = tests.filter(({ ancestorTitles: [top] }) => top === `checkpointer on ${database}`)
  const passed = own.filter(({ status }) => status === 'passed').length
  const failed = own.filter(({ status }) => status !== 'passed')
  const line = `${database}: ${passed} of ${own.length} tests pass`
  if (own.length === 0) return { line, faults: [`${database}: no test ran`] }
  return { line, faults: failed.map(toFault) }
}

function toFault(/** @type {Tested} */ { ancestorTitles, title, status, failureMessages }) {
  return [[...ancestorTitles, title].join(' › '), ...failureMessages, status].join('\n  ')
}
