/** @typedef {import('./suites.mjs').Run} Run */

/**
 * The runs that the words name: suites, scenarios, or the first part of scenarios' names.
 * @param {Run[]} runs
 * @param {string[]} words
 */
export function selectRuns(runs, words) {
  const suites = words.filter((word) => runs.some(({ suite }) => suite.name === word))
  const scenarios = words.filter((word) => !suites.includes(word))
  return {
    runs: runs.filter(
      ({ suite, scenario }) =>
        (suites.length === 0 || suites.includes(suite.name)) &&
        (scenarios.length === 0 || scenarios.some((word) => covers(word, scenario))),
    ),
    unknown: scenarios.filter((word) => !runs.some(({ scenario }) => covers(word, scenario))),
  }
}

function covers(/** @type {string} */ word, /** @type {string} */ scenario) {
  return scenario === word || scenario.startsWith(`${word}/`)
}
