// Fails when a test that the requirements name (C7.1) is missing from the last whole test run, or
// did not pass in it.
import { exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findCaseFaults } from './trace/cases.mjs'
import { readRun } from './trace/read-run.mjs'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url))

const faults = findCaseFaults(root, await readRun(root))
for (const fault of faults) console.error(`error: ${fault}`)
exit(faults.length === 0 ? 0 : 1)
