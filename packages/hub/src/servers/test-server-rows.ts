import { AppError } from '@dataagent/schema'
import type { CredentialRow, ServerRow, ServerRows } from './contract.ts'

/** The port in memory, for tests that are not about a database. */
export function createTestServerRows(): ServerRows & { servers: Map<string, ServerRow> } {
  const servers = new Map<string, ServerRow>()
  const credentials = new Map<string, CredentialRow>()
  let revision = 0

  function assertName(row: Pick<ServerRow, 'tenant_id' | 'server_id' | 'name'>, owner: string) {
    for (const other of servers.values()) {
      const isOther = other.server_id !== row.server_id && other.owner === owner
      if (isOther && other.tenant_id === row.tenant_id && other.name === row.name) throw conflict()
    }
  }

  return {
    servers,
    list: async (tenant_id) =>
      [...servers.values()].filter((row) => (tenant_id ?? row.tenant_id) === row.tenant_id),
    async insert(row, { perOwner, perTenant } = {}) {
      const ofTenant = [...servers.values()].filter(({ tenant_id }) => tenant_id === row.tenant_id)
      const ofOwner = ofTenant.filter(({ owner }) => owner === row.owner)
      const isFull = ofOwner.length >= (perOwner ?? Infinity)
      if (isFull || ofTenant.length >= (perTenant ?? Infinity)) {
        throw new AppError('quota_exceeded', `at most ${isFull ? perOwner : perTenant} servers`)
      }
      if (servers.has(toKey(row.tenant_id, row.server_id))) throw conflict()
      assertName(row, row.owner)
      revision += 1
      servers.set(toKey(row.tenant_id, row.server_id), { ...row, revision })
      return revision
    },
    async update(row) {
      const stored = servers.get(toKey(row.tenant_id, row.server_id))
      if (!stored) throw new AppError('not_found', 'gone')
      if (stored.revision !== row.revision) throw conflict()
      assertName(row, stored.owner)
      revision += 1
      servers.set(toKey(row.tenant_id, row.server_id), { ...stored, ...row, revision })
      return { revision, isKept: false }
    },
    async delete({ tenant_id, server_id }) {
      revision += 1
      const isThere = servers.delete(toKey(tenant_id, server_id))
      return isThere ? { revision, isKept: false } : undefined
    },
    listEditions: async () => [],
    deleteEdition: async () => false,
    listCredentials: async (tenant_id, server_id) =>
      [...credentials.values()].filter(
        (row) => row.tenant_id === tenant_id && row.server_id === server_id,
      ),
    getCredential: async (...ids) => credentials.get(toKey(...ids)),
    async setCredential(row) {
      credentials.set(toKey(row.tenant_id, row.server_id, row.user_id), row)
    },
    deleteCredential: async ({ tenant_id, server_id, user_id }) =>
      credentials.delete(toKey(tenant_id, server_id, user_id)),
  }
}

function toKey(...ids: string[]): string {
  return JSON.stringify(ids)
}

function conflict(): AppError {
  return new AppError('conflict', 'the row exists already')
}
