import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runStep } from './run-step.mjs'
import { readSeal, writeSeal } from './seal.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

const bundler = 'scripts/build/bundle-command.mjs'
const sources = [
  ...['apps/cli', 'packages/client', 'packages/guard', 'packages/schema'],
  ...[bundler, 'scripts/build/bundle.mjs'],
  'package-lock.json',
]

/**
 * Whether the terminal's program is made from just these sources.
 * @param {string} root
 */
export function isCliBuilt(root) {
  if (!existsSync(join(root, 'apps/cli/dist/main.js'))) return false
  return readSeal(root, 'cli') !== undefined || isStamped(root, 'cli', hashOf(root, sources))
}

/**
 * @param {string} root
 * @param {string} node
 */
export async function buildCli(root, node) {
  await runStep(root, {
    title: 'Making the terminal program',
    command: node,
    args: [bundler],
    advice: 'The message above says what is wrong in apps/cli.',
  })
  stamp(root, 'cli', hashOf(root, sources))
}

/**
 * What is built is found again at a glance.
 * @param {string} root
 * @param {string} node
 */
export function sealCli(root, node) {
  if (readSeal(root, 'cli')?.node !== node) writeSeal(root, 'cli', { node, paths: sources })
}
