import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

/**
 * Lets one set-up of this folder run at a time: two terminals may start together.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function withLock(work, folder = join(root, '.cache')) {
  const path = join(folder, 'setup.lock')
  const release = () => rmSync(path, { force: true })
  mkdirSync(folder, { recursive: true })
  for (let told = false; !take(path); told = true) {
    if (!told) process.stderr.write('Waiting for another set-up of this folder to end …\n')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isHeld(path)) rmSync(path, { force: true })
    return false
  }
}

/**
 * Whether the process that took it lives. One that was killed has left the file behind; one that
 * takes it just now has not written its number yet.
 * @param {string} path
 */
function isHeld(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH'
  }
}
