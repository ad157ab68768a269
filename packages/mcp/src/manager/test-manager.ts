import { createFakeClock, type FakeClock } from '@dataagent/testkit'
import type { ToolDefinition } from '../client/contract.ts'
import type { TestServer } from '../connection/test-server.ts'
import type { ManagerEvent, McpManager, McpManagerOptions, McpServerConfig } from './contract.ts'
import { createMcpManager } from './manager.ts'

/** A manager on a clock that the test moves, and all that it told. */
export interface TestManager extends AsyncDisposable {
  manager: McpManager
  clock: FakeClock
  events: ManagerEvent[]
  /** Adds a server of this process. */
  add(name: string, server: TestServer, config?: Partial<McpServerConfig>): Promise<void>
}

export function createTestManager(options: McpManagerOptions = {}): TestManager {
  const clock = createFakeClock()
  const events: ManagerEvent[] = []
  const onEvent = (event: ManagerEvent) => events.push(event)
  const manager = createMcpManager({ clock, onEvent, ...options })
  return {
    manager,
    clock,
    events,
    add: (name, server, config = {}) =>
      manager.addServer({ name, transport: 'http', ...config }, server),
    [Symbol.asyncDispose]: () => manager.disconnectAll(),
  }
}

/** A definition that says it may be called twice. */
export function idempotent(name: string): ToolDefinition {
  return { name, inputSchema: { type: 'object' }, annotations: { idempotentHint: true } }
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It did not fail.')
}
