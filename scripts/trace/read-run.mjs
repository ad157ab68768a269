import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exit } from 'node:process'

/**
 * The report of the last whole test run; without one it says what to do and exits with 2.
 * @returns {Promise<import('./proof.mjs').TestRun>}
 */
export async function readRun(/** @type {string} */ root) {
  const path = join(root, 'node_modules/.cache/dataagent/test-run.json')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) return JSON.parse(text)
  console.error('There is no test run to read yet: run `npm test` first.')
  return exit(2)
}
