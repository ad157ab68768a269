import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheOf } from './paths.mjs'

/**
 * What the files looked like from outside when something was made from them, and the Node that made
 * it: a look at sizes and times takes a tenth of the time of reading them all.
 * @typedef {{ node: string, looks: Record<string, string> }} Seal
 */

/**
 * The seal, where nothing has changed since; undefined where it must be looked at closely.
 * @param {string} root
 * @param {string} name
 * @returns {Seal | undefined}
 */
export function readSeal(root, name) {
  try {
    const seal = JSON.parse(readFileSync(pathOf(root, name), 'utf8'))
    const isSame = Object.entries(seal.looks).every(([path, look]) => lookOf(root, path) === look)
    return isSame ? seal : undefined
  } catch {
    return undefined
  }
}

/**
 * Never throws: without a seal it only takes longer.
 * @param {string} root
 * @param {string} name
 * @param {{ node: string, paths: readonly string[] }} made from these files and folders
 */
export function writeSeal(root, name, { node, paths }) {
  const all = paths.flatMap((path) => pathsBelow(root, path))
  const looks = Object.fromEntries(all.map((path) => [path, lookOf(root, path)]))
  try {
    mkdirSync(cacheOf(root), { recursive: true })
    writeFileSync(pathOf(root, name), JSON.stringify({ node, looks }))
  } catch {
    // A tree that may not be written to is set up already.
  }
}

/**
 * @param {string} root
 * @param {string} name
 */
const pathOf = (root, name) => join(cacheOf(root), `${name}.seal`)

/**
 * A folder changes with what it holds. Empty where there is nothing.
 * @param {string} root
 * @param {string} path
 */
function lookOf(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  return stats ? `${stats.size} ${stats.mtimeMs}` : ''
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function pathsBelow(root, path) {
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return [path]
  const names = readdirSync(join(root, path))
  const own = names.filter((name) => name !== 'node_modules' && name !== 'dist')
  return [path, ...own.flatMap((name) => pathsBelow(root, `${path}/${name}`))]
}
