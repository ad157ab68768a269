/** @typedef {import('./suites.mjs').Run} Run */

/**
 * The runs that the words name: suites, scenarios, or the first part of the name of either.
 * @param {Run[]} runs
 * @param {string[]} words
 */
export function selectRuns(runs, words) {
  const suites = words.filter((word) => runs.some(({ suite }) => covers(word, suite.name)))
  const scenarios = words.filter((word) => !suites.includes(word))
  return {
    runs: runs.filter(
      ({ suite, scenario }) =>
        (suites.length === 0 || suites.some((word) => covers(word, suite.name))) &&
        (scenarios.length === 0 || scenarios.some((word) => covers(word, scenario))),
    ),
    unknown: scenarios.filter((word) => !runs.some(({ scenario }) => covers(word, scenario))),
  }
}

function covers(/** @type {string} */ word, /** @type {string} */ name) {
  return name === word || name.startsWith(`${word}/`)
}
