import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../docs/bench')

/** The file of figures of that name, as it is; empty where there is none. */
export async function readResults(name: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => '{}')
  return JSON.parse(text) as Record<string, unknown>
}

/** Puts one share into the file, with the day it was made, and leaves the others as they are. */
export async function keepShare(name: string, share: string, figures: object): Promise<void> {
  const made = new Date().toISOString().slice(0, 10)
  const results = { ...(await readResults(name)), [share]: { made, ...figures } }
  await writeFile(join(folder, name), `${JSON.stringify(results, undefined, 2)}\n`)
}
