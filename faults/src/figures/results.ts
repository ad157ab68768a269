import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { longCount, waitFor } from '@dataagent/testkit'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'docs/bench')
const cache = join(root, 'node_modules/.cache/dataagent')
/** Nobody writes for so long: whoever has the lock was killed. */
const staleMs = 10_000

/** The file of figures of that name, as it is; empty where there is none. */
export async function readResults(name: string): Promise<Record<string, unknown>> {
  const text = await readFile(resolve(folder, name), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, unknown>
}

/**
 * Puts one share into the file, with the day it was made, and leaves the others as they are, also
 * those that are written at the same time.
 */
export async function keepShare(name: string, share: string, figures: object): Promise<void> {
  const made = new Date().toISOString().slice(0, 10)
  await using _ = await takeLock()
  const results = { ...(await readResults(name)), [share]: { made, ...figures } }
  const path = resolve(folder, name)
  await writeFile(`${path}.fresh`, `${JSON.stringify(results, undefined, 2)}\n`)
  await rename(`${path}.fresh`, path)
}

/** What a long run of faults has counted; of a short one nothing is kept. */
export async function keepLongRun(share: string, figures: object): Promise<void> {
  if (longCount(0, 1) === 1) await keepShare('faults.json', share, figures)
}

/** Tests run in several processes. */
async function takeLock(): Promise<AsyncDisposable> {
  const path = join(cache, 'figures.lock')
  await mkdir(cache, { recursive: true })
  const take = async () => {
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    if (age > staleMs) await rm(path, { force: true })
    await writeFile(path, '', { flag: 'wx' })
    return true
  }
  await waitFor(take, { timeoutMs: 6 * staleMs, what: `the lock ${path}` })
  return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
}
