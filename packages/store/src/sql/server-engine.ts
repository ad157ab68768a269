import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import type { Dialect } from 'kysely'
import type { Engine, SqlValue } from './engine.ts'
import { createPool, type ServerConnection } from './pool.ts'
import { createServerDriver } from './server-driver.ts'

export interface ServerEngineOptions {
  url: string
  clock?: Clock
  /** Connections at the most. */
  maxConnections?: number
  connectTimeoutMs?: number
  /** A statement that takes longer is given up and its connection ended. */
  queryTimeoutMs?: number
  acquireTimeoutMs?: number
}

export interface ServerConnectionOptions {
  url: string
  clock: Clock
  connectTimeoutMs: number
  queryTimeoutMs: number
}

/** Where MySQL and PostgreSQL differ. */
export interface ServerKind extends Omit<Dialect, 'createDriver'> {
  kind: 'mysql' | 'postgres'
  connect(options: ServerConnectionOptions): Promise<ServerConnection>
  quote(name: string): string
  parameter(index: number): string
  /** Tries to take the migration lock on this connection; may wait up to `timeoutMs`. */
  lock(connection: ServerConnection, timeoutMs: number): Promise<boolean>
  unlock(connection: ServerConnection): Promise<void>
}

/** An engine over a pool of connections to a database server. */
export function createServerEngine(options: ServerEngineOptions, kind: ServerKind): Engine {
  const { clock = systemClock, connectTimeoutMs = 5_000, queryTimeoutMs = 15_000 } = options
  const connectionOptions = { url: options.url, clock, connectTimeoutMs, queryTimeoutMs }
  const pool = createPool({
    connect: () => kind.connect(connectionOptions),
    clock,
    max: options.maxConnections ?? 10,
    acquireTimeoutMs: options.acquireTimeoutMs ?? 5_000,
    idleMs: 60_000,
  })

  async function withConnection<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    const connection = await pool.acquire()
    try {
      return await work(connection)
    } finally {
      pool.release(connection)
    }
  }

  return {
    kind: kind.kind,
    dialect: {
      createDriver: () => createServerDriver(pool),
      createAdapter: kind.createAdapter,
      createQueryCompiler: kind.createQueryCompiler,
      createIntrospector: kind.createIntrospector,
    },
    connections: pool.size,
    close: pool.close,

    async insertMany(table, columns, rows) {
      if (rows.length === 0) return
      const sql = `insert into ${kind.quote(table)} (${columns.map(kind.quote).join(', ')}) values `
      const places = rows.map((_, row) => placesOf(kind, columns.length, row)).join(', ')
      const values = rows.flat() as SqlValue[]
      await withConnection((connection) => connection.run(sql + places, values))
    },

    exclusively: (timeoutMs, work) =>
      withConnection(async (connection) => {
        await waitForLock(kind, connection, { clock, timeoutMs })
        try {
          return await work()
        } finally {
          if (!connection.isBroken()) await kind.unlock(connection)
        }
      }),
  }
}

function placesOf(kind: ServerKind, width: number, row: number): string {
  let places = '('
  for (let column = 1; column <= width; column += 1) {
    places += (column === 1 ? '' : ', ') + kind.parameter(row * width + column)
  }
  return `${places})`
}

async function waitForLock(
  kind: ServerKind,
  connection: ServerConnection,
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
): Promise<void> {
  const deadline = clock.monotonic() + timeoutMs
  while (!(await kind.lock(connection, 1_000))) {
    if (clock.monotonic() > deadline) {
      throw new AppError('store_unavailable', 'another process has been migrating for too long')
    }
    await new Promise<void>((resolve) => clock.after(50, resolve))
  }
}
