import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'

const path = join(root, '.cache', 'setup.lock')

/**
 * Lets one set-up of this folder run at a time: two terminals may start together.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(work) {
  mkdirSync(join(root, '.cache'), { recursive: true })
  for (let told = false; !take(); told = true) {
    if (!told) process.stderr.write('Waiting for another set-up of this folder to end …\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take() {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (!isHeld()) release()
    return false
  }
}

/** Whether the process that took it lives. One that died in between has left the file behind. */
function isHeld() {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    if (pid === 0) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

function release() {
  rmSync(path, { force: true })
}
