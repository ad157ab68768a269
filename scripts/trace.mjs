import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readLedger } from './trace/ledger.mjs'
import { traceRun } from './trace/proof.mjs'
import { toJson, toReport } from './trace/report.mjs'

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, root: { type: 'string' } },
})
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))

const ledger = await readLedger(root)
const run = await readRun(join(root, 'node_modules/.cache/dataagent/test-run.json'))
const { items, unknown } = traceRun(ledger, run)
console.log(values.json ? toJson(items) : toReport(items))

const errors = [...ledger.disagreements, ...unknown]
for (const error of errors) console.error(`error: ${error}`)
exit(errors.length === 0 ? 0 : 1)

/** @returns {Promise<import('./trace/proof.mjs').TestRun>} */
async function readRun(/** @type {string} */ path) {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  console.error('There is no test run to read yet: run `npm test` first.')
  return exit(2)
}
