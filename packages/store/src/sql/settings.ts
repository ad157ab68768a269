import { isAppError } from '@dataagent/schema'
import type { Kysely } from 'kysely'
import type { Database } from './tables.ts'

/** Small facts about the installation itself, such as the key-check value. */
export interface Settings {
  get(name: string): Promise<string | undefined>
  /** Stores the value unless there is one, and gives back the one that holds. */
  setIfAbsent(name: string, value: string): Promise<string>
  set(name: string, value: string): Promise<void>
}

export function createSettings(db: Kysely<Database>): Settings {
  async function get(name: string) {
    const query = db.selectFrom('settings').select('value').where('name', '=', name)
    return (await query.executeTakeFirst())?.value
  }

  async function setIfAbsent(name: string, value: string) {
    try {
      await db.insertInto('settings').values({ name, value }).execute()
      return value
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error
      return (await get(name)) ?? value
    }
  }

  return {
    get,
    setIfAbsent,
    async set(name, value) {
      await setIfAbsent(name, value)
      await db.updateTable('settings').set({ value }).where('name', '=', name).execute()
    },
  }
}
