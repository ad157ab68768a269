import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runStep } from './run-step.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

/** @param {string} root */
const sources = (root) =>
  hashOf(root, ['apps/web', 'packages/schema', 'packages/client', 'package-lock.json'])

/**
 * Whether the web page is built from just these sources.
 * @param {string} root
 */
export function isWebBuilt(root) {
  return existsSync(join(root, 'apps/web/dist/index.html')) && isStamped(root, 'web', sources(root))
}

/**
 * @param {string} root
 * @param {string} node
 */
export async function buildWeb(root, node) {
  await runStep(root, {
    title: 'Building the web page',
    command: node,
    args: ['node_modules/vite/bin/vite.js', 'build', 'apps/web', '--logLevel', 'warn'],
    advice: 'The message above says what is wrong in apps/web.',
  })
  stamp(root, 'web', sources(root))
}
