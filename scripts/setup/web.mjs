import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles } from './compress.mjs'
import { takeFirstLoad } from './first-load.mjs'
import { runStep } from './run-step.mjs'
import { hashOf, isStamped, stamp } from './stamp.mjs'

/** @param {string} root */
const sources = (root) =>
  hashOf(root, [
    'apps/web',
    'packages/schema',
    'packages/client',
    'packages/data/src/charts',
    'package-lock.json',
  ])

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
    // Whatever the shell says: React for developers works otherwise, and slower.
    env: { NODE_ENV: 'production' },
  })
  const dist = join(root, 'apps/web/dist')
  const first = takeFirstLoad(dist)
  process.stderr.write(`${toSizes(compressFiles(dist), first)}\n`)
  stamp(root, 'web', sources(root))
}

/**
 * @param {{ file: string, sent: number }[]} files
 * @param {ReadonlySet<string>} first
 */
function toSizes(files, first) {
  const sum = (/** @type {typeof files} */ some) => some.reduce((all, { sent }) => all + sent, 0)
  const opened = sum(files.filter(({ file }) => first.has(file)))
  const largest = files.toSorted((a, b) => b.sent - a.sent).slice(0, 3)
  const names = largest.map(({ file, sent }) => `${file} ${toKilobytes(sent)}`)
  return (
    `The first page takes ${toKilobytes(opened)} compressed, all pages ` +
    `${toKilobytes(sum(files))}; the largest parts: ${names.join(', ')}`
  )
}

/** @param {number} bytes */
function toKilobytes(bytes) {
  return `${Math.round(bytes / 1000)} kB`
}
