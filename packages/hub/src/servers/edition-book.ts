import type { Vault } from '../vault-port.ts'
import type { Edition, RegisteredServer, ServerChange, ServerRows } from './contract.ts'
import { originOf, toEditionId } from './edition-id.ts'
import type { Editions } from './editions.ts'
import { fromEditionRow } from './stored-server.ts'

export interface EditionBookOptions {
  rows: Pick<ServerRows, 'listEditions'>
  vault: Vault
  editions: Editions
  tell(change: ServerChange): void
}

/** Brings the editions in memory to what is stored. */
export function createEditionBook({ rows, vault, editions, tell }: EditionBookOptions) {
  function take(edition: Edition): void {
    editions.set(edition)
    tell({ kind: 'superseded', edition })
  }

  function drop(edition: Edition): void {
    editions.remove(edition)
    const { tenant_id, server_id } = edition
    tell({ kind: 'removed', tenant_id, server_id })
  }

  return {
    /** Sessions go on with the configuration that the change of that revision has replaced. */
    keep(server: RegisteredServer, superseded_by: number): void {
      take(Object.freeze({ ...server, server_id: toEditionId(server), superseded_by }))
    },
    dropAll({ tenant_id, server_id }: RegisteredServer): void {
      for (const edition of editions.ofTenant(tenant_id)) {
        if (originOf(edition.server_id) === server_id) drop(edition)
      }
    },
    /** Reads what is stored; gives the function that takes it over. */
    async read(tenant_id: string | undefined): Promise<() => void> {
      const went = new Set(editions.ofTenant(tenant_id))
      const came: Edition[] = []
      for (const row of await rows.listEditions(tenant_id)) {
        const held = editions.get(row.tenant_id, row.server_id)
        if (held) went.delete(held)
        else came.push(await fromEditionRow(vault, row))
      }
      return () => {
        came.forEach(take)
        went.forEach(drop)
      }
    },
  }
}
