// npm run trace [-- --json | --quiet]: which test proves which id. Fails where one is not proved.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readLedger } from './trace/ledger.mjs'
import { traceRun } from './trace/proof.mjs'
import { readRun } from './trace/read-run.mjs'
import { toJson, toMissing, toReport } from './trace/report.mjs'

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, quiet: { type: 'boolean' }, root: { type: 'string' } },
})
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))

const ledger = await readLedger(root)
const run = await readRun(root)
const { items, unknown } = traceRun(ledger, run)
if (!values.quiet) console.log(values.json ? toJson(items) : toReport(items))

const missing = toMissing(items)
const unproved = missing.length === 0 ? [] : [`not proved: ${missing.join(', ')}`]
const errors = [...ledger.disagreements, ...unknown, ...unproved]
for (const error of errors) console.error(`error: ${error}`)
// Not `exit`: a pipe may not have taken the whole report yet.
process.exitCode = errors.length === 0 ? 0 : 1
