import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type ListEntry, openWorkspace, type Workspace } from '@dataagent/guard'
import { AppError, isAppError, type Session, type Tenant } from '@dataagent/schema'
import type { FastifyReply } from 'fastify'
import type { Platform } from '../platform/index.ts'
import { readLog } from './sessions-log.ts'
import { foldersOf, type TenantFolder } from './tenants-folders.ts'

const pageSize = 200
/** Of a file in one line, before base64. */
const partBytes = 768 * 1024
const maxEntries = 1_000_000
const maxDepth = 256

interface Exporting {
  tenant: Tenant
  reply: FastifyReply
  signal: AbortSignal
}

/**
 * Sends all that is stored of a tenant as lines of JSON, as fast as they are taken: rows first,
 * then files in parts. What users have made so that it cannot be read is named instead. The last
 * line counts all of them; without it the export is not whole.
 */
export function exportTenant(platform: Platform, { tenant, reply, signal }: Exporting) {
  const { tenant_id } = tenant
  // Read before anything is sent: what is refused here is still answered as an error.
  const folders = foldersOf(platform, tenant_id)

  async function* lines() {
    const counts = { rows: 0, files: 0, left_out: 0 }
    const exported_at = platform.clock.now()
    yield toLine({ kind: 'tenant', tenant_id, version: platform.version, exported_at })
    for await (const row of readRows(platform, tenant_id)) {
      signal.throwIfAborted()
      counts.rows += 1
      yield toLine({ kind: 'row', ...row })
    }
    for (const folder of folders) {
      for await (const part of readFolder(folder, signal)) {
        if (part.offset === undefined) counts.left_out += 1
        if (part.offset === 0) counts.files += 1
        yield toLine({ kind: part.offset === undefined ? 'left_out' : 'file', ...part })
      }
    }
    yield toLine({ kind: 'end', ...counts })
  }

  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="${tenant_id}.ndjson"`)
    .send(Readable.from(lines()))
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`
}

async function* readRows(platform: Platform, tenant_id: string) {
  yield* platform.tables.ofTenant.read(tenant_id)
  if (platform.config.session_store === 'redis') yield* readSessions(platform, tenant_id)
}

/** Those that are not in the database. */
async function* readSessions(platform: Platform, tenant_id: string) {
  const { messages, events } = platform.stores
  for await (const session of sessionsOf(platform, tenant_id)) {
    const { session_id } = session
    yield { table: 'sessions', row: session }
    for (let offset = 0; ; offset += pageSize) {
      const page = await messages.list(session_id, { limit: pageSize, offset })
      for (const row of page) yield { table: 'messages', row }
      if (page.length < pageSize) break
    }
    for await (const page of readLog(events, session_id)) {
      for (const row of page) yield { table: 'events', row: { session_id, ...row } }
    }
  }
}

/** The sessions of all users of a tenant. */
export async function* sessionsOf(platform: Platform, tenant_id: string): AsyncGenerator<Session> {
  const { tables, stores } = platform
  for (let offset = 0; ; offset += pageSize) {
    const users = await tables.users.list(tenant_id, { limit: pageSize, offset })
    for (const { user_id } of users) {
      const count = await stores.sessions.countByUser(tenant_id, user_id)
      yield* await stores.sessions.listByUser(tenant_id, user_id, { limit: count, offset: 0 })
    }
    if (users.length < pageSize) return
  }
}

/** One that cannot be read has a name alone. */
type FilePart =
  | { file: string; offset: number; size: number; base64: string }
  | { file: string; offset?: undefined }

async function* readFolder(
  { path, name }: TenantFolder,
  signal: AbortSignal,
): AsyncGenerator<FilePart> {
  if (!existsSync(path)) return
  await using folder = await openWorkspace({ root: path })
  const { entries, truncated } = await folder.list('.', {
    recursive: true,
    maxDepth,
    maxEntries,
    signal,
  })
  if (truncated && entries.length >= maxEntries)
    throw new AppError('too_large', `${name} has too many files`)
  for (const entry of entries) {
    const file = `${name}/${entry.path}`
    if (entry.kind === 'file') yield* readFile(folder, file, entry)
    else if (entry.kind === 'other' || isTooDeep(entry)) yield { file }
  }
}

/** What is in it is not listed. */
function isTooDeep({ kind, path }: ListEntry): boolean {
  return kind === 'dir' && path.split('/').length >= maxDepth
}

/** One that is gone meanwhile is passed over, one that is cut meanwhile ends where it is cut. */
async function* readFile(
  folder: Workspace,
  file: string,
  entry: ListEntry,
): AsyncGenerator<FilePart> {
  for (let offset = 0, size = 1; offset < size; offset += partBytes) {
    const part = await folder.read(entry.path, { offset, length: partBytes }).catch(unlessUnread)
    if (part === 'gone') return
    if (part === 'closed') {
      yield { file }
      return
    }
    size = part.size
    yield { file, offset, size, base64: part.bytes.toString('base64') }
  }
}

/** Its name or its rights do not open it, or something else has taken its place. */
function unlessUnread(error: unknown): 'gone' | 'closed' {
  if (isAppError(error, 'not_found')) return 'gone'
  const isClosed = ['path_denied', 'invalid_request', 'conflict'] as const
  if (isClosed.some((code) => isAppError(error, code))) return 'closed'
  throw error
}
