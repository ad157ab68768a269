import type { BrowserSessionRow, PlatformOptions } from './tables.ts'

export type BrowserSessions = ReturnType<typeof createBrowserSessions>

/** Browsers that are signed in. */
export function createBrowserSessions({ db }: PlatformOptions) {
  return {
    async create(row: BrowserSessionRow): Promise<void> {
      await db.insertInto('browser_sessions').values(row).execute()
    },

    async find(token_mac: string): Promise<BrowserSessionRow | undefined> {
      const query = db.selectFrom('browser_sessions').selectAll()
      const row = await query.where('token_mac', '=', token_mac).executeTakeFirst()
      return row?.token_mac === token_mac ? row : undefined
    },

    async touch(token_mac: string, last_used_at: number): Promise<void> {
      const query = db.updateTable('browser_sessions').set({ last_used_at })
      await query.where('token_mac', '=', token_mac).execute()
    },

    /** False where there was none. */
    async delete(token_mac: string): Promise<boolean> {
      const query = db.deleteFrom('browser_sessions').where('token_mac', '=', token_mac)
      return (await query.executeTakeFirst()).numDeletedRows > 0n
    },

    /** Signs a user out everywhere; gives how many there were. */
    async deleteByUser(tenant_id: string, user_id: string): Promise<number> {
      const query = db.deleteFrom('browser_sessions')
      const own = query.where(({ and }) => and({ tenant_id, user_id }))
      return Number((await own.executeTakeFirst()).numDeletedRows)
    },

    /** Deletes at most `limit` that have expired at `now`; gives how many. */
    async deleteExpired(now: number, limit: number): Promise<number> {
      const expired = db.selectFrom('browser_sessions').where('expires_at', '<=', now)
      const found = await expired.select('token_mac').limit(limit).execute()
      if (found.length === 0) return 0
      const tokens = found.map(({ token_mac }) => token_mac)
      const query = db.deleteFrom('browser_sessions').where('token_mac', 'in', tokens)
      return Number((await query.executeTakeFirst()).numDeletedRows)
    },
  }
}
