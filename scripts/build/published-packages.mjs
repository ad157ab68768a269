import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {object} Published
 * @property {string} dir Relative to the root: `packages/guard`.
 * @property {string} name
 * @property {string[]} needs Names of the packages here that it imports.
 */

/**
 * The packages that are published, each after those that it needs: a package is compiled against
 * the types in their dist.
 * @returns {Promise<Published[]>}
 */
export async function publishedPackages(/** @type {string} */ root) {
  const folders = await readdir(join(root, 'packages'))
  const all = await Promise.all(folders.map((folder) => readPackage(root, `packages/${folder}`)))
  return inOrder(all.flat())
}

/** @returns {Promise<Published[]>} */
async function readPackage(/** @type {string} */ root, /** @type {string} */ dir) {
  const manifest = JSON.parse(await readFile(join(root, dir, 'package.json'), 'utf8'))
  if (manifest.private) return []
  const needs = Object.keys(manifest.dependencies ?? {})
  return [
    { dir, name: manifest.name, needs: needs.filter((name) => name.startsWith('@dataagent/')) },
  ]
}

function inOrder(/** @type {Published[]} */ packages) {
  /** @type {Published[]} */
  const ordered = []
  const isReady = (/** @type {Published} */ { needs }) =>
    needs.every((need) => ordered.some(({ name }) => name === need))
  const waiting = new Set(packages)
  while (waiting.size > 0) {
    const next = [...waiting].find(isReady)
    if (!next) throw new Error(`A cycle, or a private dependency: ${[...waiting].map(nameOf)}`)
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}

const nameOf = (/** @type {Published} */ { name }) => name
