import { connectKv, createRedisKv } from '@dataagent/store/kv'
import { openSql } from '@dataagent/store/sql'
import { createRevisions } from './revisions.ts'

/**
 * A process for tests: `test-follower-process.ts DATABASE EVERY_MS,… [REDIS PREFIX]` follows
 * the policy at each of the intervals, by the KV of its parent where no Redis is given, and says
 * over IPC what it has loaded.
 */
const [url = '', intervals = '', redis, prefix] = process.argv.slice(2)
const kv = redis && prefix ? createRedisKv({ url: redis, prefix }) : connectKv({ parent: process })
const { revisions: rows } = openSql({ url }).hub
for (const everyMs of intervals.split(',').map(Number)) {
  const revisions = createRevisions({ rows, kv, everyMs })
  revisions.follow('policy', async (tenant_id = 'all') => {
    process.send?.({ loaded: `${tenant_id} ${everyMs}` })
  })
  revisions.start()
}
// Messages of the parent's KV alone would not say that hints arrive.
const stop = await kv.subscribe('ready?', () => void process.send?.({ loaded: 'ready' }))
process.send?.({ loaded: 'ready' })
process.once('disconnect', () => void stop().finally(() => process.exit()))
