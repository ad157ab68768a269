import { type Clock, systemClock } from '@dataagent/guard'
import { AppError, parseAs, type ServerConfigInput, serverConfigSchema } from '@dataagent/schema'
import { toCanonicalJson } from '../canonical-json.ts'
import type { Vault } from '../vault-port.ts'
import type { EditionRow, ServerRow, ServerRows } from './contract.ts'
import { originOf } from './edition-id.ts'
import { assertOwnNames, toFileServerId } from './server-names.ts'
import { toColumns, withDescription } from './stored-server.ts'

/** Whose they are. */
export interface FileOwner {
  tenant_id: string
  user_id: string
}

/**
 * Servers of a user's own that files on this machine name. They are nowhere stored, and are there
 * as long as this process; their ids are the same each time, so that what was decided about their
 * tools holds. One of the same name that the user has stored is not seen meanwhile.
 */
export interface FileServers {
  /** What is stored, and these before it. To change or remove one of them throws `forbidden`. */
  readonly rows: ServerRows
  /**
   * These and no others, from the next `reload` on: also in sessions under way. Where one cannot
   * be, all stay as they were: throws `invalid_request`.
   */
  set(owner: FileOwner, configs: readonly ServerConfigInput[]): Promise<void>
  has(server: Pick<ServerRow, 'tenant_id' | 'server_id'>): boolean
}

export interface FileServersOptions {
  rows: ServerRows
  vault: Vault
  clock?: Clock
}

interface FileRow extends ServerRow {
  /** By which it is seen whether anything has changed. */
  text: string
}

export function createFileServers({
  rows,
  vault,
  clock = systemClock,
}: FileServersOptions): FileServers {
  let held = new Map<string, FileRow>()
  /** Below all revisions of the store: every session has begun after it. */
  let revision = Number.MIN_SAFE_INTEGER

  const find = ({ tenant_id, server_id }: Pick<ServerRow, 'tenant_id' | 'server_id'>) => {
    const row = held.get(originOf(server_id))
    return row?.tenant_id === tenant_id ? row : undefined
  }

  async function toRow({ tenant_id, user_id }: FileOwner, input: ServerConfigInput) {
    const text = toCanonicalJson(input)
    const config = withDescription(parseAs(serverConfigSchema, input, 'server'))
    assertOwnNames([config.name, config.alias])
    const server_id = toFileServerId(config.name, user_id)
    const known = held.get(server_id)
    if (known?.text === text && known.tenant_id === tenant_id) return known
    const columns = await toColumns(vault, { tenant_id, server_id }, config)
    const now = clock.now()
    const times = { created_at: known?.created_at ?? now, updated_at: now }
    revision += 1
    const whose = { tenant_id, server_id, owner: user_id, created_by: user_id }
    return { ...whose, ...columns, ...times, revision, text } satisfies FileRow
  }

  function assertStored(ref: Pick<ServerRow, 'tenant_id' | 'server_id'>): void {
    const row = find(ref)
    if (row) throw ofFile(row.name)
  }

  const isCovered = (row: ServerRow | EditionRow) =>
    [...held.values()].some(
      ({ tenant_id, owner, name }) =>
        tenant_id === row.tenant_id && owner === row.owner && name === row.name,
    )

  return {
    rows: {
      ...rows,
      async list(tenant_id) {
        const stored = (await rows.list(tenant_id)).filter((row) => !isCovered(row))
        const own = [...held.values()].filter(
          (row) => (tenant_id ?? row.tenant_id) === row.tenant_id,
        )
        return [...stored, ...own]
      },
      listEditions: async (tenant_id) =>
        (await rows.listEditions(tenant_id)).filter((row) => !isCovered(row)),
      async update(row, ...rest) {
        assertStored(row)
        return rows.update(row, ...rest)
      },
      async delete(ref, ...rest) {
        assertStored(ref)
        return rows.delete(ref, ...rest)
      },
    },
    async set(owner, configs) {
      const next = new Map<string, FileRow>()
      for (const input of configs) {
        const row = await toRow(owner, input)
        if (next.has(row.server_id)) throw twice(row.name)
        next.set(row.server_id, row)
      }
      held = next
    },
    has: (server) => find(server) !== undefined,
  }
}

function ofFile(name: string): AppError {
  return new AppError(
    'forbidden',
    `the server "${name}" comes from a configuration file (mcp.json): change it there, and reload`,
  )
}

function twice(name: string): AppError {
  return new AppError('invalid_request', `two servers are named "${name}"`)
}
