import { createFakeClock, type FakeClock } from '@dataagent/testkit'
import { createConnection } from './connection.ts'
import type { Connection, ConnectionEvent, ConnectionOptions } from './contract.ts'
import type { TestServer } from './test-server.ts'

/** A connection to a test server, on a clock that the test moves, and all that it told. */
export interface TestConnection {
  connection: Connection
  clock: FakeClock
  events: ConnectionEvent[]
  /** The states that it told, as `status` or `status attempt`, since the last call. */
  states(): string[]
  /** The names of the tools that it told, `undefined` for withdrawn, since the last call. */
  toldTools(): (string[] | undefined)[]
}

export function createTestConnection(
  server: TestServer,
  options: Partial<ConnectionOptions> = {},
): TestConnection {
  const clock = createFakeClock()
  const events: ConnectionEvent[] = []
  const connection = createConnection({
    name: 'files',
    createTransport: server.createTransport,
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    ...options,
  })
  return {
    connection,
    clock,
    events,
    states: createReader(toState),
    toldTools: createReader(toTools),
  }

  function createReader<T>(read: (event: ConnectionEvent) => T[]): () => T[] {
    let seen = 0
    return () => {
      const fresh = events.slice(seen)
      seen = events.length
      return fresh.flatMap(read)
    }
  }
}

function toState(event: ConnectionEvent): string[] {
  if (event.kind !== 'state') return []
  const { state } = event
  return ['attempt' in state ? `${state.status} ${state.attempt}` : state.status]
}

function toTools(event: ConnectionEvent): (string[] | undefined)[] {
  return event.kind === 'tools' ? [event.tools?.map(({ name }) => name)] : []
}

/** As `createTestConnection`, opened. */
export async function openTestConnection(
  server: TestServer,
  options: Partial<ConnectionOptions> = {},
): Promise<TestConnection> {
  const opened = createTestConnection(server, options)
  await opened.connection.open()
  opened.states()
  opened.toldTools()
  return opened
}
