/** @typedef {import('./proof.mjs').Item} Item */

/** The table of every id with its tests, in order, and the counts below it. */
export function toReport(/** @type {Item[]} */ items) {
  const groups = Map.groupBy(items, ({ id }) => groupOf(id))
  const sections = [...groups].map(([name, own]) =>
    [`${name}  ${countText(own)}`, ...own.flatMap(itemLines), ''].join('\n'),
  )
  return [...sections, ...letterCounts(items), `all: ${countText(items)}`].join('\n')
}

/** One line for machines. */
export function toJson(/** @type {Item[]} */ items) {
  const missing = toMissing(items)
  const proved = items.length - missing.length
  return JSON.stringify({ total: items.length, proved, missing })
}

/** The ids that are not proved. */
export function toMissing(/** @type {Item[]} */ items) {
  return items.filter((item) => !isProved(item)).map(({ id }) => id)
}

/** What failed or was skipped may be the only test of a part of it. */
const isProved = (/** @type {Item} */ { passed, other }) => passed.length > 0 && other.length === 0

/** The row of an id, `D14` of `D14.1`; case names are one group. */
const groupOf = (/** @type {string} */ id) => /^([A-E]\d+)\./.exec(id)?.[1] ?? 'cases'

function itemLines(/** @type {Item} */ item) {
  const { id, passed, other } = item
  const titles = [...passed.map((title) => `✓ ${title}`), ...other.map((title) => `✗ ${title}`)]
  const [first = '–', ...rest] = titles
  return [`  ${id.padEnd(7)} ${first}`, ...rest.map((title) => `  ${' '.repeat(7)} ${title}`)]
}

function letterCounts(/** @type {Item[]} */ items) {
  const letters = Map.groupBy(items, ({ id }) => (groupOf(id) === 'cases' ? 'cases' : id[0]))
  return [...letters].map(([letter, own]) => `${letter}: ${countText(own)}`)
}

function countText(/** @type {Item[]} */ items) {
  return `${items.filter(isProved).length} of ${items.length} proved`
}
