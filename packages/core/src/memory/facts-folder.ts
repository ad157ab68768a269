import type { Clock, Workspace } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import type { Fact, FactList, MemoryOwner } from './contract.ts'
import { factIdOf, fromFactFile, toFactFile } from './fact-file.ts'
import { createKeptListings } from './kept-listings.ts'

/** A file that is no fact any more; it was renamed and stays for whoever wants to look. */
export interface DamagedFact {
  path: string
  reason: string
}

export interface FolderNeeds {
  workspace: Workspace
  clock: Clock
  onDamage(damaged: DamagedFact): void
}

const atOnce = 16
const entriesMax = 1_000_000
const factBytes = 64 * 1024

/**
 * One file for each fact, written once: writers in several processes never touch the same file, and
 * to forget is to remove.
 */
export function createFactsFolder({ workspace, clock, onDamage }: FolderNeeds) {
  const listingOf = createKeptListings({ workspace, clock })
  /** By path, with the time of the file that it was read from. */
  const kept = new Map<string, { mtimeMs: number; fact: Fact }>()
  const keptMax = 10_000

  async function readFact(owner: MemoryOwner, path: string, fact_id: string, mtimeMs: number) {
    const known = kept.get(path)
    if (known?.mtimeMs === mtimeMs) return known.fact
    const bytes = await readIfThere(path)
    if (bytes === undefined) return undefined
    try {
      const fact = fromFactFile(bytes.toString('utf8'), owner, fact_id)
      if (kept.size >= keptMax) kept.clear()
      kept.set(path, { mtimeMs, fact })
      return fact
    } catch (error) {
      await setAside(path, error)
      return undefined
    }
  }

  async function readIfThere(path: string): Promise<Buffer | undefined> {
    try {
      return (await workspace.read(path, { maxBytes: factBytes })).bytes
    } catch (error) {
      if (isAppError(error, 'not_found')) return undefined
      if (!isAppError(error, 'too_large') && !isAppError(error, 'path_denied')) throw error
      return Buffer.alloc(0)
    }
  }

  async function setAside(path: string, error: unknown): Promise<void> {
    await workspace.move(path, `${path}.damaged`, { overwrite: true }).catch(() => {})
    onDamage({ path, reason: error instanceof Error ? error.message : String(error) })
  }

  async function readAll(owner: MemoryOwner, folder: string): Promise<FactList> {
    const entries = await listIfThere(workspace, folder)
    const facts: Fact[] = []
    for (let at = 0; at < entries.length; at += atOnce) {
      const reads = entries.slice(at, at + atOnce).map(({ path, mtimeMs }) => {
        const id = factIdOf(path)
        return id === undefined ? undefined : readFact(owner, `${folder}/${path}`, id, mtimeMs)
      })
      for (const fact of await Promise.all(reads)) if (fact) facts.push(fact)
    }
    facts.sort((a, b) => b.created_at - a.created_at || (a.fact_id < b.fact_id ? 1 : -1))
    const after = facts.length === entries.length ? entries : await listIfThere(workspace, folder)
    return { facts, damaged: after.filter(({ path }) => path.endsWith('.damaged')).length }
  }

  return {
    /** All facts, newest first. */
    list: (owner: MemoryOwner, folder: string) => listingOf(folder, () => readAll(owner, folder)),

    async write(owner: MemoryOwner, folder: string, fact: Fact): Promise<void> {
      const put = async () => {
        await workspace.makeDir(folder)
        const path = `${folder}/${fact.fact_id}.json`
        await workspace.write(path, toFactFile(owner, fact), { durable: true, expect: 'absent' })
      }
      // A sweep may have removed the empty folder in between.
      await put().catch((error) => {
        if (!isAppError(error, 'not_found')) throw error
        return put()
      })
    },

    /** Whether it was there. */
    async remove(path: string): Promise<boolean> {
      kept.delete(path)
      return await removeIfThere(workspace, path)
    },
  }
}

/** What is in a folder; nothing where there is none. */
export async function listIfThere(workspace: Workspace, folder: string) {
  try {
    return (await workspace.list(folder, { maxEntries: entriesMax })).entries
  } catch (error) {
    if (isAppError(error, 'not_found')) return []
    throw error
  }
}

/** Removes a file or a whole folder; false where there was none. */
export async function removeIfThere(workspace: Workspace, path: string): Promise<boolean> {
  try {
    await workspace.remove(path, { recursive: true })
    return true
  } catch (error) {
    if (isAppError(error, 'not_found')) return false
    throw error
  }
}
