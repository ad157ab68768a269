/**
 * What we read of the JSON report of vitest.
 * @typedef {{ fullName: string, status: string }} TestResult
 * @typedef {{ name: string, assertionResults: TestResult[] }} FileResult
 * @typedef {{ startTime: number, testResults: FileResult[] }} TestRun
 *
 * @typedef {{ id: string, passed: string[], other: string[] }} Item One id or case name and the
 *   tests that carry it: those that passed, and those that failed or were skipped.
 * @typedef {{ items: Item[], unknown: string[] }} Trace
 */

/**
 * Finds for every id and case name the tests whose titles carry it.
 * @returns {Trace}
 */
export function traceRun(
  /** @type {import('./ledger.mjs').Ledger} */ { ids, cases },
  /** @type {TestRun} */ run,
) {
  const tests = run.testResults.flatMap((file) => file.assertionResults)
  const byId = new Map([...ids, ...cases].map((id) => [id, toItem(id)]))
  /** @type {string[]} */
  const unknown = []
  for (const { fullName, status } of tests) {
    for (const id of [...idsIn(fullName), ...casesIn(fullName, cases)]) {
      const item = byId.get(id)
      if (!item) unknown.push(`${id} does not exist: "${fullName}"`)
      else if (status === 'passed') item.passed.push(fullName)
      else item.other.push(`${fullName} (${status})`)
    }
  }
  return { items: [...byId.values()], unknown }
}

/** @returns {Item} */
const toItem = (/** @type {string} */ id) => ({ id, passed: [], other: [] })

/** `[A2.2]`, `[D14.1][D14.2]` and `[D14.1, D14.2]`, each id once. */
function idsIn(/** @type {string} */ title) {
  const groups = title.match(/\[[A-E]\d+\.\d+(?:,\s*[A-E]\d+\.\d+)*\]/g) ?? []
  return new Set(groups.flatMap((group) => group.slice(1, -1).split(/,\s*/)))
}

function casesIn(/** @type {string} */ title, /** @type {string[]} */ cases) {
  const words = new Set(title.match(/\w+/g))
  return cases.filter((name) => words.has(name))
}
