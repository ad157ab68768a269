import type { Socket } from 'node:net'
import { AppError } from '@dataagent/schema'
import type { QueryArrayResult } from 'pg'
import { type AddressCheck, dial } from '../dial.ts'
import { type Framing, watchPackets } from '../packet-watch.ts'
import type { Pooled } from '../pool.ts'
import type { DatabaseServer } from '../source.ts'
import { succeedsWithin } from '../within.ts'
import { toPostgresError } from './errors.ts'
import { createRowReader, type RowReader } from './row-reader.ts'

export interface PostgresNeeds {
  server: DatabaseServer
  checkAddress: AddressCheck | undefined
  /** Of one row. */
  rowBytes: number
  signal: AbortSignal
}

export interface PostgresLink extends Pooled {
  /** Statements of ours. */
  ask(sql: string, values?: readonly unknown[]): Promise<QueryArrayResult<(string | null)[]>>
  /** One statement, without its rows: the server itself refuses more. */
  askOne(sql: string): Promise<unknown>
  /** A statement with its rows. Nothing else is asked before they have ended; `one`: as above. */
  read(sql: string, options: { one: boolean }): RowReader
  /** What ends a running statement from another connection. */
  readonly cancelKey: { processID: number; secretKey: number }
  fault(): AppError | undefined
}

/** A letter and the length, itself included (PostgreSQL, Message Formats). */
const framing: Framing = {
  headBytes: 5,
  read: (head) => ({ bodyBytes: Math.max(0, head.readUInt32BE(1) - 4), goesOn: false }),
}

const farewellMs = 500

/** Values come as the server writes them. */
const asText = { getTypeParser: () => (value: unknown) => value }

export async function connectPostgres(needs: PostgresNeeds): Promise<PostgresLink> {
  const { server, signal } = needs
  const socket = await dial({ ...server, ...needs })
  const { Client, Query } = await import('pg')
  const client = new Client({
    ...{ host: server.host, port: server.port, user: server.user, database: server.database },
    // An empty one would be looked for in the environment and in the user's files.
    password: () => server.password.reveal(),
    ssl: server.ssl === 'off' ? false : { rejectUnauthorized: server.ssl === 'on' },
    stream: () => alreadyConnected(socket),
    ...{ types: asText, application_name: 'dataagent', client_encoding: 'UTF8' },
    connectionTimeoutMillis: 15_000,
  })
  let tooLong: AppError | undefined
  client.on('error', () => {})
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const onAbort = () => socket.destroy()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await client.connect()
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw toPostgresError(error)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  const inner = client as unknown as {
    connection: { stream: Socket }
    processID: number
    secretKey: number
  }
  const { stream } = inner.connection
  watchPackets(stream, {
    ...{ framing, mostBytes: needs.rowBytes },
    onTooLong() {
      tooLong = new AppError(
        'too_large',
        `A row of the result is over ${needs.rowBytes} bytes. Take a part of its long values, such as left(column, 1000).`,
      )
    },
  })
  return {
    ask: (text, values = []) => client.query({ text, values: [...values], rowMode: 'array' }),
    askOne: (text) => client.query({ text, queryMode: 'extended' } as never),
    read(text, { one }) {
      const mode = one ? { queryMode: 'extended' } : {}
      const query = new Query({ text, rowMode: 'array', ...mode } as never)
      const reader = createRowReader(query, stream)
      client.query(query)
      return reader
    },
    cancelKey: { processID: inner.processID, secretKey: inner.secretKey },
    gone,
    fault: () => tooLong,
    async close({ idle } = { idle: false }) {
      if (idle) await succeedsWithin(client.end(), farewellMs)
      socket.destroy()
      await gone
    },
  }
}

/** The driver insists on connecting by itself; the address was checked and is connected to. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    setImmediate(() => socket.emit('connect'))
    return socket
  }
  return socket
}
