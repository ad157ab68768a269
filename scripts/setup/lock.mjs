import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Lets one set-up of a folder run at a time: two terminals may start together.
 * @template T
 * @param {string} folder where the lock stands
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(folder, work) {
  const path = join(folder, 'setup.lock')
  const release = () => rmSync(path, { force: true })
  mkdirSync(folder, { recursive: true })
  for (let told = false; !take(path); told = true) {
    if (!told) process.stderr.write(`Waiting for another set-up to end (${path}) …\n`)
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
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!isHeld(path)) rmSync(path, { force: true })
    return false
  }
}

/**
 * Whether the process that took it lives. One that was killed has left the file behind; one that
 * takes it just now has not written its number yet. No set-up takes an hour: then the number is
 * another process's by now.
 * @param {string} path
 */
function isHeld(path) {
  try {
    const age = Date.now() - statSync(path).mtimeMs
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return age < 2_000
    process.kill(pid, 0)
    return age < 3_600_000
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code
}
