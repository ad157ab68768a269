import { expect, test } from 'vitest'
import type { McpError } from '../errors.ts'
import { openTestConnection } from './test-connection.ts'
import { failing, toFailure } from './test-failures.ts'
import { createTestServer } from './test-server.ts'

const toError = (error: McpError) => error
const never = () => new Promise<never>(() => undefined)
const failure = (call: Promise<unknown>) => call.then(() => undefined, toError)

test('a loss that one call finds makes all others worth another try', async () => {
  const server = createTestServer('read')
  const { connection } = await openTestConnection(server)
  server.answers.set('tools/call', never)
  const waiting = failure(connection.callTool('read'))
  server.answers.set('prompts/list', failing(toFailure('session_lost')))
  await failure(connection.client().listPrompts())
  expect(await waiting).toMatchObject({ kind: 'closed', retryable: true, mayHaveRun: true })
  await connection.close()
})

test('to close a connection makes no call of it worth another try', async () => {
  const server = createTestServer('read')
  const { connection } = await openTestConnection(server)
  server.answers.set('tools/call', never)
  const waiting = [1, 2].map(() => failure(connection.callTool('read')))
  await connection.close()
  for (const call of waiting) {
    expect(await call).toMatchObject({ kind: 'closed', retryable: false, mayHaveRun: true })
  }
})
