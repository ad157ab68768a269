import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {object} Ledger
 * @property {string[]} ids Ids of criteria: `A2.2`, `D35.4`.
 * @property {string[]} cases Names of tests that must exist as they are.
 * @property {string[]} disagreements Where the two files differ.
 */

/**
 * Reads the ids to prove and holds the list against the rows of the requirements.
 * @returns {Promise<Ledger>}
 */
export async function readLedger(/** @type {string} */ root) {
  const list = await readFile(join(root, 'docs/requirement-ids.txt'), 'utf8')
  const [idText = '', caseText = ''] = list.split(/\n\s*\n/)
  const ids = idText.split('\n').filter(Boolean)
  const cases = caseText.split('\n').filter(Boolean)
  const rows = rowIds(await readFile(join(root, 'docs/requirements.md'), 'utf8'))
  return { ids, cases, disagreements: compare(ids, rows) }
}

/** Ids that the tables promise: `| A1.1 | …` is one, `| D2 | 1–6 | …` six. */
function rowIds(/** @type {string} */ text) {
  const single = [...text.matchAll(/^\| ([A-CE]\d+\.\d+) \|/gm)].map((match) => match[1] ?? '')
  const ranges = [...text.matchAll(/^\| (D\d+) \| (\d+)(?:–(\d+))? \|/gm)].flatMap(
    ([, row, first, last = first]) => {
      const from = Number(first)
      return Array.from({ length: Number(last) - from + 1 }, (_, i) => `${row}.${from + i}`)
    },
  )
  return [...single, ...ranges]
}

function compare(/** @type {string[]} */ ids, /** @type {string[]} */ rows) {
  return [
    ...missingFrom(ids, rows).map((id) => `${id} is in requirements.md only`),
    ...missingFrom(rows, ids).map((id) => `${id} is in requirement-ids.txt only`),
  ]
}

function missingFrom(/** @type {string[]} */ known, /** @type {string[]} */ ids) {
  return ids.filter((id) => !known.includes(id))
}
