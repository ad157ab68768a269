import { insertChange } from '../hub/change-rows.ts'
import { inRevision } from '../hub/take-revision.ts'
import { insertIfAbsent } from '../insert-if-absent.ts'
import type { Noted, PlatformOptions } from './tables.ts'

/** Small facts about the whole installation, such as the key-check value. */
export interface Settings {
  get(name: string): Promise<string | undefined>
  /** Stores the value unless there is one, and gives back the one that holds. */
  setIfAbsent(name: string, value: string): Promise<string>
  /** Takes the next revision of the topic `tenants` of all (`*`) in the same transaction. */
  change(name: string, value: string, options?: Noted): Promise<void>
}

export function createSettings({ db, engine }: PlatformOptions): Settings {
  async function get(name: string) {
    const query = db.selectFrom('settings').select('value').where('name', '=', name)
    return (await query.executeTakeFirst())?.value
  }

  return {
    get,

    async setIfAbsent(name, value) {
      await insertIfAbsent({ db, kind: engine.kind }, 'settings', { name, value })
      return (await get(name)) ?? value
    },

    async change(name, value, { note } = {}) {
      const topic = { tenant_id: '*', topic: 'tenants' } as const
      await inRevision({ db, engine }, topic, async (transaction, revision) => {
        await insertIfAbsent({ db: transaction, kind: engine.kind }, 'settings', { name, value })
        await transaction.updateTable('settings').set({ value }).where('name', '=', name).execute()
        await insertChange(transaction, note, revision)
      })
    },
  }
}
