import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheOf } from './paths.mjs'

/**
 * A hash over files and folders (without their node_modules and dist), given by path from the root.
 * What does not exist counts as such.
 * @param {string} root
 * @param {readonly string[]} paths
 */
export function hashOf(root, paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const path of paths.flatMap((path) => filesBelow(root, path))) {
    hash.update(`\0${path}\0`).update(readOrNothing(join(root, path)))
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} name
 * @param {string} hash
 */
export function isStamped(root, name, hash) {
  return readOrNothing(join(cacheOf(root), name)).toString() === hash
}

/**
 * @param {string} root
 * @param {string} name
 * @param {string} hash
 */
export function stamp(root, name, hash) {
  mkdirSync(cacheOf(root), { recursive: true })
  writeFileSync(join(cacheOf(root), name), hash)
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .flatMap((name) => filesBelow(root, `${path}/${name}`))
}

/** @param {string} path */
function readOrNothing(path) {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
