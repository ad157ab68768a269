import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * @typedef {object} Published
 * @property {string} dir Relative to the root: `packages/guard`.
 * @property {string} name
 * @property {string[]} needs Names of the packages here that it imports.
 * @property {boolean} hasTypes Whether programs of others import it.
 */

/**
 * The packages that are published, each after those that it needs: a package is compiled against
 * the types in their dist.
 * @returns {Promise<Published[]>}
 */
export async function publishedPackages(/** @type {string} */ root) {
  const dirs = await Promise.all(['packages', 'apps'].map((place) => foldersIn(root, place)))
  const all = await Promise.all(dirs.flat().map((dir) => readPackage(root, dir)))
  return inOrder(all.flat())
}

async function foldersIn(/** @type {string} */ root, /** @type {string} */ place) {
  return (await readdir(join(root, place))).map((folder) => `${place}/${folder}`)
}

/** @returns {Promise<Published[]>} */
async function readPackage(/** @type {string} */ root, /** @type {string} */ dir) {
  const manifest = JSON.parse(await readFile(join(root, dir, 'package.json'), 'utf8'))
  if (manifest.private) return []
  const { name, dependencies = {}, exports = {} } = manifest
  const needs = Object.keys(dependencies).filter((need) => need.startsWith('@dataagent/'))
  const hasTypes = Object.values(exports).some(({ types }) => types !== undefined)
  return [{ dir, name, needs, hasTypes }]
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
