import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { PrivateServer } from '@dataagent/testkit'

/** How much a database and a Redis have done and hold. */
export interface StoreCounts {
  /** Transactions that wrote. */
  writes: number
  /** Bytes of the write-ahead log. */
  walBytes: number
  /** Bytes of the sessions' events and messages with their indexes. */
  logBytes: number
  /** Bytes of the audited calls with their indexes. */
  auditBytes: number
  /** As Redis counts them, also those within scripts. */
  redisCommands: number
}

const run = promisify(execFile)

const counts = `select pg_snapshot_xmax(pg_current_snapshot()),
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
  pg_total_relation_size('events') + pg_total_relation_size('messages'),
  pg_total_relation_size('mcp_tool_call_log')`

export async function countStores(stores: {
  database: PrivateServer
  redis: PrivateServer
}): Promise<StoreCounts> {
  const { port, password } = new URL(stores.redis.url)
  const [row, info] = await Promise.all([
    run('psql', [stores.database.url, '-At', '-F', ' ', '-c', counts]),
    run('redis-cli', ['-p', port, '--no-auth-warning', '-a', password, 'info', 'stats']),
  ])
  const [writes, walBytes, logBytes, auditBytes] = row.stdout.trim().split(' ').map(Number)
  const redisCommands = Number(/total_commands_processed:(\d+)/.exec(info.stdout)?.[1])
  return {
    ...{ writes: writes!, walBytes: walBytes!, logBytes: logBytes!, auditBytes: auditBytes! },
    redisCommands,
  }
}
