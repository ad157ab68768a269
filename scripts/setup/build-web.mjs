import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'
import { runStep } from './run.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

const sources = ['apps/web', 'packages/schema', 'packages/client', 'package-lock.json']

/**
 * Builds the web page, unless it is there and its sources are as they were.
 * @param {string} node
 */
export async function buildWebIfChanged(node) {
  const hash = hashOf(sources)
  if (existsSync(join(root, 'apps/web/dist/index.html')) && isStamped('web', hash)) return
  await runStep('Building the web page', {
    command: node,
    args: ['node_modules/vite/bin/vite.js', 'build', 'apps/web', '--logLevel', 'warn'],
    advice: 'The message above says what is wrong in apps/web.',
  })
  stamp('web', hash)
}
