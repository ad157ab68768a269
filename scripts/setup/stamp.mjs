import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, stamps } from './paths.mjs'

/**
 * A hash over files and folders (without their node_modules and dist), given by path from the root;
 * what does not exist counts as such.
 * @param {readonly string[]} paths
 */
export function hashOf(paths) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`)
  for (const path of paths.flatMap(filesBelow)) {
    hash.update(`\0${path}\0`).update(readOrNothing(join(root, path)))
  }
  return hash.digest('hex')
}

/** @param {string} name @param {string} hash */
export function isStamped(name, hash) {
  return readOrNothing(join(stamps, name)).toString() === hash
}

/** @param {string} name @param {string} hash */
export function stamp(name, hash) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), hash)
}

/** @param {string} path @returns {string[]} */
function filesBelow(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
}

/** @param {string} path */
function readOrNothing(path) {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}
