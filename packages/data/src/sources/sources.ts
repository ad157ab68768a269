import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import {
  createNote,
  isAdministrator,
  isPlatformAdministrator,
  type Note,
  type Principal,
  type Vault,
} from '@dataagent/hub'
import { AppError, type DataSource, isAppError, type NewChange } from '@dataagent/schema'
import {
  type AddressCheck,
  createRunnerBudget,
  type Engine,
  type EngineMeans,
  openEngine,
  toReason,
} from '../engines/index.ts'
import type { DataStore, SourceNotes, SourceRow } from '../ports.ts'
import type { OpenSource, SourceChange, Sources } from './contract.ts'
import { createEnginePool } from './engine-pool.ts'
import { withHidden } from './hidden/with-hidden.ts'
import { readLocation, toLocationJson } from './location.ts'
import { withNotes } from './notes.ts'
import { toSource, workspaceSource } from './to-source.ts'

export interface SourcesOptions {
  store: DataStore
  vault: Vault
  /** Of every engine that is opened. */
  engines?: EngineMeans | undefined
  /** Where sources may be whose tenant this is; default `engines.checkAddress`. */
  checkAddressOf?: ((tenant_id: string) => AddressCheck) | undefined
  /** The live folder of a user's workspace; without one there is no source `workspace`. */
  folderOf?: ((owner: { tenant_id: string; user_id: string }) => Promise<string>) | undefined
  /** Sources of one tenant. Default 200. */
  maxSources?: number | undefined
  /** Makes the notes of changes, which are stored with them. */
  note?: Note | undefined
  clock?: Clock | undefined
}

/** Processes that ask files, over all sources, where `engines` brings no budget of its own. */
const runnersMax = 8

export function createSources(options: SourcesOptions): Sources {
  const { store, vault, folderOf, maxSources = 200, clock = systemClock } = options
  const { note = createNote({ clock }) } = options
  const pool = createEnginePool()
  const engines = { budget: createRunnerBudget({ most: runnersMax }), ...options.engines }

  async function rowsFor(principal: Principal): Promise<SourceRow[]> {
    const rows = await store.sources.list(principal.tenant_id)
    return isAdministrator(principal) ? rows : rows.filter((row) => maySee(principal, row))
  }

  async function rowFor(principal: Principal, source_id: string): Promise<SourceRow> {
    requireAdministrator(principal)
    const row = await store.sources.get(principal.tenant_id, source_id)
    if (row === undefined) throw notFound(source_id)
    return row
  }

  async function openRow(row: SourceRow): Promise<Engine> {
    return pool.take(keyOf(row), row.updated_at, async () => {
      const source = readLocation(await vault.open(row.location, bindingOf(row)))
      const checkAddress = options.checkAddressOf?.(row.tenant_id)
      return openEngine(source, { ...engines, ...(checkAddress && { checkAddress }) })
    })
  }

  async function openWorkspaceOf({ tenant_id, user_id }: Principal): Promise<OpenSource> {
    if (!folderOf || user_id === null) throw notFound(workspaceSource.source_id)
    const folder = await folderOf({ tenant_id, user_id })
    const open = async () => openEngine({ kind: 'files', folder }, engines)
    const engine = await pool.take(JSON.stringify([tenant_id, user_id, folder]), 0, open)
    return { source: workspaceSource, notes: { tables: {} }, engine }
  }

  async function change(
    row: SourceRow,
    fields: Partial<SourceRow>,
    noted?: NewChange,
  ): Promise<DataSource> {
    const { tenant_id, source_id } = row
    return toSource(await store.sources.update(tenant_id, source_id, fields, { note: noted }))
  }

  const sources: Sources = {
    async list(principal) {
      const listed = (await rowsFor(principal)).map((row) => toSeen(principal, row))
      return folderOf && principal.user_id !== null ? [...listed, workspaceSource] : listed
    },
    async open(principal, asked) {
      if (isNamed(workspaceSource, asked)) return openWorkspaceOf(principal)
      const row = (await rowsFor(principal)).find((one) => isNamed(one, asked))
      if (row === undefined) throw await unknownSource(sources, principal, asked)
      if (!row.enabled) throw new AppError('unavailable', `The source ${row.name} is switched off.`)
      const notes = readNotes(row)
      const source = toSeen(principal, row)
      return { source, notes, engine: withHidden(await openRow(row), notes) }
    },
    async describe(principal, asked, { tables, signal } = {}) {
      const { engine, notes } = await sources.open(principal, asked)
      const options = { ...(tables && { tables }), ...(signal && { signal }) }
      return withNotes(await engine.describe(options), notes)
    },
    async describeWhole(principal, source_id, signal) {
      const row = await rowFor(principal, source_id)
      const engine = await openRow(row)
      return withNotes(await engine.describe(signal ? { signal } : {}), readNotes(row))
    },
    async create(principal, source) {
      requireAdministrator(principal)
      requireReach(principal, source.location.kind)
      requireFreeName(source.name)
      const now = clock.now()
      const { source_id = randomUUID() } = source
      const row: SourceRow = {
        ...{ tenant_id: principal.tenant_id, source_id, user_id: null },
        ...{ scope: 'tenant', ...unchecked, created_at: now, updated_at: now },
        ...{ name: source.name, description: source.description, kind: source.location.kind },
        enabled: source.enabled ?? true,
        notes: JSON.stringify(source.notes ?? { tables: {} }),
        location: '',
      }
      const location = await vault.seal(toLocationJson(source.location), bindingOf(row))
      const noted = note(principal, { ...noteOf(row), action: 'added', after: toNoted(row) })
      await store.sources.create({ ...row, location }, { max: maxSources, note: noted })
      return toSource(row)
    },
    async update(principal, source_id, asked) {
      const row = await rowFor(principal, source_id)
      if (asked.location) requireReach(principal, asked.location.kind)
      if (asked.name !== undefined) requireFreeName(asked.name)
      const { location, ...fields } = toFields(asked)
      const sealed = location !== undefined && {
        location: await vault.seal(location, bindingOf(row)),
      }
      // Also where the clock has not moved: an engine is known by it.
      const updated_at = Math.max(clock.now(), row.updated_at + 1)
      const after = { ...row, ...fields }
      const noted = note(principal, {
        ...{ ...noteOf(row), action: toAction(asked), before: toNoted(row) },
        after: { ...toNoted(after), ...(sealed && { location: 'given anew' }) },
      })
      const changed = await change(row, { ...fields, ...sealed, updated_at }, noted)
      // What runs on it may be forbidden now.
      await pool.drop(keyOf(row))
      return changed
    },
    async remove(principal, source_id) {
      const row = await rowFor(principal, source_id)
      const noted = note(principal, { ...noteOf(row), action: 'removed', before: toNoted(row) })
      await store.sources.delete(row.tenant_id, source_id, { note: noted })
      await pool.drop(keyOf(row))
    },
    notes: async (principal, source_id) => readNotes(await rowFor(principal, source_id)),
    async check(principal, source_id, signal) {
      const row = await rowFor(principal, source_id)
      const found = await look(openRow(row), signal)
      return change(row, { ...found, checked_at: clock.now() })
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
  return sources
}

const unchecked: Found & Pick<SourceRow, 'checked_at'> = {
  ...({ status: 'unknown', status_text: null, read_only: null, checked_at: null } as const),
}

type Found = Pick<SourceRow, 'status' | 'status_text' | 'read_only'>

async function look(opening: Promise<Engine>, signal: AbortSignal | undefined): Promise<Found> {
  try {
    const engine = await opening
    const { read_only, version } = await engine.check(signal ? { signal } : {})
    return { status: 'ok', status_text: version, read_only }
  } catch (error) {
    if (!isAppError(error) || error.code === 'cancelled') throw error
    return { status: 'failing', status_text: toReason(error), read_only: null }
  }
}

function toFields(change: SourceChange): Partial<SourceRow> {
  const { name, description, location, notes, enabled } = change
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled }),
    ...(notes !== undefined && { notes: JSON.stringify(notes) }),
    ...(location !== undefined && {
      ...{ kind: location.kind, location: toLocationJson(location), ...unchecked },
    }),
  }
}

function noteOf({ tenant_id, source_id }: SourceRow) {
  return { tenant_id, kind: 'data_source', target: source_id } as const
}

/** What is told of it in the record of changes: nothing of how it is reached. */
function toNoted({ name, kind, description, enabled, notes }: SourceRow) {
  return { name, kind, description, enabled, notes: JSON.parse(notes) as SourceNotes }
}

function toAction({ enabled, ...rest }: SourceChange): 'changed' | 'enabled' | 'disabled' {
  const isSwitch = enabled !== undefined && Object.values(rest).every((one) => one === undefined)
  if (!isSwitch) return 'changed'
  return enabled ? 'enabled' : 'disabled'
}

function readNotes({ notes }: SourceRow): SourceNotes {
  return JSON.parse(notes) as SourceNotes
}

function keyOf({ tenant_id, source_id }: SourceRow): string {
  return JSON.stringify([tenant_id, source_id])
}

function bindingOf({ tenant_id, source_id }: Pick<SourceRow, 'tenant_id' | 'source_id'>) {
  return { tenant: tenant_id, table: 'data_sources', row: source_id, column: 'location' }
}

function maySee({ user_id }: Principal, row: SourceRow): boolean {
  return row.scope === 'tenant' || row.user_id === user_id
}

/** Why it cannot be reached tells where it is. */
function toSeen(principal: Principal, row: SourceRow): DataSource {
  const { status_text, ...source } = toSource(row)
  if (status_text === undefined || (row.status === 'failing' && !isAdministrator(principal))) {
    return source
  }
  return { ...source, status_text }
}

function isNamed({ source_id, name }: { source_id: string; name: string }, asked: string): boolean {
  return source_id === asked || name.toLowerCase() === asked.trim().toLowerCase()
}

function requireAdministrator(principal: Principal): void {
  if (isAdministrator(principal)) return
  throw new AppError('forbidden', 'Sources of data are registered by administrators.')
}

/** A path is one of the machine that the platform runs on. */
function requireReach(principal: Principal, kind: SourceRow['kind']): void {
  if (kind === 'mysql' || kind === 'postgres' || isPlatformAdministrator(principal)) return
  throw new AppError(
    'forbidden',
    "Files of the platform's machine are registered by administrators of the platform.",
  )
}

/** Others would find it in the place of their own files. */
function requireFreeName(name: string): void {
  if (name.trim() === '') throw new AppError('invalid_request', 'A source needs a name.')
  if (!isNamed(workspaceSource, name)) return
  throw new AppError(
    'conflict',
    `The name ${workspaceSource.name} is that of everybody's own files.`,
  )
}

function notFound(asked: string): AppError {
  return new AppError('not_found', `There is no source ${asked}.`)
}

async function unknownSource(
  sources: Pick<Sources, 'list'>,
  principal: Principal,
  asked: string,
): Promise<AppError> {
  const enabled = (await sources.list(principal)).filter((source) => source.enabled)
  const names = enabled.map(({ name }) => name)
  const there = names.length > 0 ? `There are: ${names.slice(0, 20).join(', ')}.` : 'There is none.'
  return new AppError('not_found', `There is no source "${asked.slice(0, 100)}". ${there}`)
}
