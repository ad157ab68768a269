import { randomUUID } from 'node:crypto'
import { link, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '@dataagent/schema/base'
import { readText } from './read-text.ts'

const lockWaitMs = 5_000
/** A change takes milliseconds: a lock this old was left by a process that has ended. */
const lockStaleMs = 10_000

/** Of the text, undefined where there is no file; gives undefined to leave it as it is. */
type Change = (text: string | undefined) => Changed | undefined

export interface Changed {
  text: string
  /** Leaves the old text beside it, as a .bak. */
  keepsOld?: boolean
}

/**
 * Changes a text file as a whole: readers see the old or the new one, and of two programs that
 * change it at once the second sees what the first has written. Only its user may read it then.
 * Where a link stands, what it points to is changed.
 */
export async function changeFile(path: string, change: Change): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const target = await realpath(path).catch(() => path)
  await using _lock = await takeLock(`${target}.lock`)
  const file = await readText(target)
  if (file.status === 'unreadable') throw new AppError('invalid_request', `${path}: ${file.why}`)
  const text = file.status === 'ok' ? file.text : undefined
  const changed = change(text)
  if (changed === undefined || changed.text === text) return
  if (changed.keepsOld && text !== undefined) await replaceFile(`${target}.bak`, text)
  await replaceFile(target, changed.text)
}

/** Writes a new file and puts it in the place of the old one. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeDurably(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function takeLock(path: string): Promise<AsyncDisposable> {
  const deadline = performance.now() + lockWaitMs
  while (!(await tryLock(path))) {
    if (performance.now() > deadline) {
      throw new AppError('unavailable', `another program is changing the file: see ${path}`)
    }
    await dropStale(path)
    await pause(20)
  }
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(String(process.pid))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moves it away first: whoever finds that it took a fresh one puts it back. */
async function dropStale(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found || Date.now() - found.mtimeMs < lockStaleMs) return
  const away = `${path}.${randomUUID()}`
  await rename(path, away).catch(() => {})
  const moved = await stat(away).catch(() => undefined)
  if (moved && moved.ino !== found.ino) await link(away, path).catch(() => {})
  await rm(away, { force: true })
}
