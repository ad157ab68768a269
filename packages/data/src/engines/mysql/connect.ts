import type { Socket } from 'node:net'
import { AppError } from '@dataagent/schema'
import type { Connection } from 'mysql2'
import { type AddressCheck, dial } from '../dial.ts'
import { type Framing, watchPackets } from '../packet-watch.ts'
import type { Pooled } from '../pool.ts'
import type { DatabaseServer } from '../source.ts'
import { succeedsWithin } from '../within.ts'
import { toMysqlError } from './errors.ts'

export interface MysqlNeeds {
  server: DatabaseServer
  checkAddress: AddressCheck | undefined
  /** Of one row. */
  rowBytes: number
  signal: AbortSignal
}

export interface MysqlLink extends Pooled {
  readonly connection: Connection
  readonly version: string
  readonly threadId: number
  /** Runs a statement of ours. */
  ask(sql: string, values?: readonly string[]): Promise<Record<string, unknown>[]>
  /** Why the connection was ended, where that was us. */
  fault(): AppError | undefined
}

const farewellMs = 500
const longestPacket = 0xffffff

/** Each packet begins with its length, 3 bytes, and a number (MySQL Internals, 14.1.2). */
const framing: Framing = {
  headBytes: 4,
  read(head) {
    const bodyBytes = head.readUIntLE(0, 3)
    return { bodyBytes, goesOn: bodyBytes === longestPacket }
  },
}

/** What the gate reads and what the server reads must be cut alike; nothing waits for long. */
const setUp = [
  'SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ',
  'SET SESSION TRANSACTION READ ONLY',
  'SET SESSION lock_wait_timeout = 5',
  'SET SESSION wait_timeout = 180',
]

export async function connectMysql(needs: MysqlNeeds): Promise<MysqlLink> {
  const socket = await dial({ ...needs.server, ...needs })
  const connection = await open(needs.server, socket)
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let tooLong: AppError | undefined
  connection.on('error', () => {})

  async function ask(sql: string, values: readonly string[] = []) {
    const [rows] = await connection.promise().query(sql, [...values])
    return rows as Record<string, unknown>[]
  }

  const onAbort = () => socket.destroy()
  needs.signal.addEventListener('abort', onAbort, { once: true })
  try {
    await connection.promise().connect()
    watchPackets((connection as unknown as { stream: Socket }).stream, {
      ...{ framing, mostBytes: needs.rowBytes },
      onTooLong() {
        tooLong = new AppError(
          'too_large',
          `A row of the result is over ${needs.rowBytes} bytes. Take a part of its long values, such as LEFT(column, 1000).`,
        )
      },
    })
    const [row] = await ask('SELECT VERSION() AS version, @@SESSION.sql_mode AS mode')
    await ask('SET SESSION sql_mode = ?', [toSqlMode(String(row?.mode))])
    for (const sql of setUp) await ask(sql)
    return {
      ...{ connection, ask, version: String(row?.version), threadId: connection.threadId },
      gone,
      fault: () => tooLong,
      // The driver's own way tells nobody who waits, and lets the server send on.
      async close({ idle } = { idle: false }) {
        if (idle) await succeedsWithin(connection.promise().end(), farewellMs)
        socket.destroy()
        await gone
      },
    }
  } catch (error) {
    socket.destroy()
    needs.signal.throwIfAborted()
    throw toMysqlError(error)
  } finally {
    needs.signal.removeEventListener('abort', onAbort)
  }
}

const otherwiseCut = new Set([
  ...['ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES'],
  // Each of these is several, the first of those two among them.
  ...['ANSI', 'DB2', 'MAXDB', 'MSSQL', 'ORACLE', 'POSTGRESQL'],
])

/** The server's mode without what changes how texts and names are cut. */
export function toSqlMode(mode: string): string {
  const kept = mode.split(',').filter((one) => !otherwiseCut.has(one.trim().toUpperCase()))
  return kept.join(',')
}

async function open(server: DatabaseServer, stream: Socket): Promise<Connection> {
  const { createConnection } = await import('mysql2')
  return createConnection({
    ...{ host: server.host, port: server.port, stream },
    ...{ user: server.user, password: server.password.reveal(), database: server.database },
    ...(server.ssl !== 'off' && {
      ssl: { rejectUnauthorized: server.ssl === 'on', verifyIdentity: server.ssl === 'on' },
    }),
    ...{ connectTimeout: 15_000, charset: 'utf8mb4', multipleStatements: false },
    flags: ['-LOCAL_FILES'],
    // Numbers that a double cannot hold come as their digits.
    ...{ supportBigNumbers: true, dateStrings: true, jsonStrings: true, decimalNumbers: false },
    rowsAsArray: false,
  })
}
