import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { findByCommand } from '../connection/test-processes.ts'
import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import { talkTo } from './test-everything.ts'
import { programOf } from './test-program.ts'

test('server-memory remembers over a death of its process and leaves nothing', async () => {
  await using folder = await temporaryDirectory()
  const mark = randomUUID()
  const args = [programOf('memory'), mark]
  const env = { MEMORY_FILE_PATH: join(folder.path, 'memory.json') }
  const server = {
    createTransport: () => createStdioTransport({ command: process.execPath, args, env }),
  }
  const talk = await talkTo(server)
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes engines'] }]
  await talk.call('create_entities', { entities })

  const [pid = 0] = findByCommand(mark)
  process.kill(pid, 'SIGKILL')
  await waitFor(() => talk.connection.state.status !== 'ready')
  const search = () => talk.call('search_nodes', { query: 'Ada' }).catch(() => '')
  await waitFor(async () => (await search()).includes('likes engines'), { timeoutMs: 10_000 })

  await talk.connection.close()
  expect(findByCommand(mark)).toEqual([])
})
