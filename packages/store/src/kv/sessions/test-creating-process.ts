import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { isAppError } from '@dataagent/schema'
import { openSql } from '../../sql/index.ts'
import { createRedisSessionStore } from './redis-session-store.ts'

/**
 * A process for quota tests: `test-creating-process.ts URL PREFIX COUNT MAX` says that it is ready.
 * For each line on its standard input, a user, it creates COUNT sessions at once and prints how
 * many it could.
 */
const [url = '', prefix = '', count = '', max = ''] = process.argv.slice(2)
await using stores = url.startsWith('redis')
  ? createRedisSessionStore({ url, prefix, timeoutMs: 60_000 })
  : openSql({ url, acquireTimeoutMs: 60_000 })
await stores.sessions.countByUser('acme', 'ana')
process.stdout.write('ready\n')

for await (const user_id of createInterface({ input: process.stdin })) {
  const all = Array.from({ length: Number(count) }, () => createOne(user_id))
  const created = (await Promise.all(all)).filter((isMade) => isMade)
  process.stdout.write(`${created.length}\n`)
}

async function createOne(user_id: string): Promise<boolean> {
  try {
    const session = {
      ...{ session_id: randomUUID(), tenant_id: 'acme', user_id, assistant_id: 'a' },
      ...{ created_at: 1, last_active: 1, metadata: {} },
      state: { thread_id: 't', auto_approve: false, status: 'idle' } as const,
    }
    await stores.sessions.create(session, { max: Number(max) })
    return true
  } catch (error) {
    if (isAppError(error, 'quota_exceeded')) return false
    throw error
  }
}
