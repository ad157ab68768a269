import type { Clock } from '@dataagent/guard'
import { AppError, isPlainObject, readJson } from '@dataagent/schema'
import type { Note } from '../changes/index.ts'
import { isPlatformAdministrator, type Principal } from '../principal.ts'
import type { Edition, RegisteredServer, ServerRow, ServerRows } from './contract.ts'
import { originOf } from './edition-id.ts'
import { toChanged } from './server-changes.ts'

export interface SwitchOffOptions {
  rows: Pick<ServerRows, 'list' | 'update' | 'deleteEdition'>
  note: Note
  clock: Clock
}

/**
 * Stores that users' servers are off, for sessions under way too. Secrets stay sealed as they are:
 * whether they can be opened does not matter.
 */
export function createSwitchOff({ rows, note, clock }: SwitchOffOptions) {
  async function find({ tenant_id, server_id }: RegisteredServer): Promise<ServerRow | undefined> {
    return (await rows.list(tenant_id)).find((row) => row.server_id === server_id)
  }

  return {
    /**
     * Gives the server as it is then; its editions end with it. Throws `conflict` where it is
     * another one by now.
     */
    async disable(by: Principal, server: RegisteredServer): Promise<RegisteredServer> {
      assertMaySwitchOff(by)
      const stored = await find(server)
      if (stored?.revision !== server.revision) throw changedMeanwhile(server)
      const text = readJson(stored.config)
      const config = JSON.stringify({ ...(isPlainObject(text) ? text : {}), disabled: true })
      const updated_at = clock.now()
      const off = toOff(server)
      const noted = note(by, toChanged(server, off.config))
      const { revision } = await rows.update({ ...stored, config, updated_at }, noted)
      return Object.freeze({ ...off, updated_at, revision })
    },

    /** The server itself, and other editions of it, stay as they are. */
    async end(by: Principal, edition: Edition): Promise<void> {
      assertMaySwitchOff(by)
      const server = { ...edition, server_id: originOf(edition.server_id) }
      await rows.deleteEdition(edition, note(by, toChanged(server, toOff(server).config)))
    },
  }
}

function toOff<S extends RegisteredServer>(server: S): S {
  return { ...server, config: { ...server.config, disabled: true } }
}

function assertMaySwitchOff(by: Principal): void {
  if (isPlatformAdministrator(by)) return
  throw new AppError('forbidden', 'only a platform administrator switches servers off everywhere')
}

function changedMeanwhile({ server_id }: RegisteredServer): AppError {
  const message = `server "${server_id}" has been changed meanwhile: read it again`
  return new AppError('conflict', message)
}
