import { join } from 'node:path'
import { type Clock, createExclusive, openWorkspace, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Fact, MemoryOwner, MemoryStore, NewFact } from './contract.ts'
import { exportMemory } from './export-memory.ts'
import { isFactId, newFactId } from './fact-file.ts'
import { createFactsFolder, type DamagedFact, removeIfThere } from './facts-folder.ts'
import { folderOf, tenantFolderOf, userFolderOf } from './folder-of.ts'
import { rank } from './rank.ts'
import { sweepMemory } from './sweep-memory.ts'

export interface MemoryStoreOptions {
  /** The storage root, absolute: memories are in `{root}/memories/{user}/{assistant}/`. */
  root: string
  /** Default 90. */
  retentionDays?: number | undefined
  /** Its users' folders are `{user}`, those of others `@{tenant}/{user}`. Default `default`. */
  defaultTenant?: string | undefined
  /** Of one owner. Default 500; two processes at once may pass it by one each. */
  maxFacts?: number | undefined
  /** Of one fact, in characters. Default 2,000. */
  maxText?: number | undefined
  /** Told of files that are no facts any more and were put aside. Must not throw. */
  onDamage?: ((damaged: DamagedFact) => void) | undefined
  clock?: Clock | undefined
}

const dayMs = 86_400_000

/** Opens the memory of all users below a storage root. */
export async function createMemoryStore(options: MemoryStoreOptions): Promise<MemoryStore> {
  const { retentionDays = 90, defaultTenant = 'default', clock = systemClock } = options
  const { maxFacts = 500, maxText = 2000, onDamage = () => {} } = options
  const root = join(options.root, 'memories')
  const workspace = await openWorkspace({ root, create: true, clock })
  const folders = createFactsFolder({ workspace, clock, onDamage })
  const exclusive = createExclusive()
  const oldest = () => clock.now() - retentionDays * dayMs

  async function list(owner: MemoryOwner) {
    const { facts, damaged } = await folders.list(owner, folderOf(owner, defaultTenant))
    const since = oldest()
    return { facts: facts.filter(({ created_at }) => created_at >= since), damaged }
  }

  async function put(owner: MemoryOwner, folder: string, fact: Fact): Promise<Fact> {
    const { facts } = await list(owner)
    const same = facts.filter(({ text }) => toKey(text) === toKey(fact.text))
    if (facts.length - same.length >= maxFacts) throw tooMany(maxFacts)
    await folders.write(owner, folder, fact)
    for (const { fact_id } of same) await folders.remove(`${folder}/${fact_id}.json`)
    return fact
  }

  return {
    list,
    async remember(owner, fact) {
      const folder = folderOf(owner, defaultTenant)
      const created_at = clock.now()
      const made = { ...toFact(fact, maxText), fact_id: newFactId(created_at), created_at }
      return await exclusive(folder, () => put(owner, folder, made))
    },
    async recall(owner, query, bounds) {
      return rank((await list(owner)).facts, query, bounds)
    },
    async forget(owner, fact_id) {
      const folder = folderOf(owner, defaultTenant)
      return isFactId(fact_id) && (await folders.remove(`${folder}/${fact_id}.json`))
    },
    async clear({ assistant_id, ...user }) {
      const folder =
        assistant_id === undefined
          ? userFolderOf(user, defaultTenant)
          : folderOf({ ...user, assistant_id }, defaultTenant)
      await removeIfThere(workspace, folder)
    },
    export: (user) =>
      exportMemory({ workspace, folder: userFolderOf(user, defaultTenant) }, (assistant_id) => {
        const owner = { ...user, assistant_id }
        return { folder: folderOf(owner, defaultTenant), list: () => list(owner) }
      }),
    foldersOf: (tenant_id) => [join(root, tenantFolderOf(tenant_id, defaultTenant))],
    sweep: ({ signal } = {}) => sweepMemory({ workspace, oldest: oldest(), signal }),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  }
}

function toFact({ text, by, session_id, said_in }: NewFact, maxText: number) {
  const plain = text.trim().toWellFormed()
  if (plain === '') throw new AppError('invalid_request', 'There is nothing to remember.')
  if (plain.length > maxText) {
    throw new AppError(
      'too_large',
      `A fact has at most ${maxText} characters; this one has ${plain.length}. Remember the gist.`,
    )
  }
  return {
    ...{ text: plain, by },
    ...(session_id !== undefined && { session_id }),
    ...(said_in !== undefined && { said_in }),
  }
}

function tooMany(maxFacts: number): AppError {
  return new AppError(
    'quota_exceeded',
    `The memory is full: it holds ${maxFacts} facts. Forget some before remembering more.`,
  )
}

/** What two texts that say the same have in common. */
function toKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()
}
