import { argv, exit } from 'node:process'
import { fileURLToPath } from 'node:url'
import { readTree } from './tree.mjs'

/**
 * @typedef {object} Finding
 * @property {string} file
 * @property {number} [line]
 * @property {string} rule
 * @property {string} message What is wrong and what to do about it.
 *
 * @typedef {(tree: import('./tree.mjs').Tree) => Finding[]} Check
 */

/** Runs several checks over one tree. */
export function runChecks(
  /** @type {Check[]} */ checks,
  /** @type {import('./tree.mjs').Tree} */ tree,
) {
  return checks.flatMap((check) => check(tree))
}

/**
 * Makes `node the-check.mjs [ROOT]` print the findings and exit with 1 when there are any; does
 * nothing when the module at `url` was only imported.
 */
export async function runAsCommand(/** @type {string} */ url, /** @type {Check[]} */ checks) {
  if (argv[1] !== fileURLToPath(url)) return
  const tree = await readTree(argv[2] ?? fileURLToPath(new URL('../..', import.meta.url)))
  const findings = runChecks(checks, tree)
  for (const { file, line, rule, message } of findings) {
    console.log(`${file}${line === undefined ? '' : `:${line}`}  ${rule}\n  ${message}`)
  }
  console.log(`${tree.files.size} files, ${findings.length} findings`)
  exit(findings.length === 0 ? 0 : 1)
}
