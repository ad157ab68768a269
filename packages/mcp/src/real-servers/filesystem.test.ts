import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { findByCommand } from '../connection/test-processes.ts'
import { createStdioTransport } from '../transports/stdio/stdio-transport.ts'
import { talkTo } from './test-everything.ts'
import { programOf } from './test-program.ts'

test('server-filesystem reads, refuses, dies, comes back and leaves nothing', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, `${randomUUID()}.txt`)
  await writeFile(path, 'what is in it')
  const args = [programOf('filesystem'), folder.path]
  const server = {
    createTransport: () => createStdioTransport({ command: process.execPath, args }),
  }
  const talk = await talkTo(server)
  const names = talk.connection.tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['read_text_file', 'list_directory']))
  expect(await talk.call('read_text_file', { path })).toBe('what is in it')

  const outside = await talk.connection.callTool('read_text_file', { path: '/etc/passwd' })
  expect(outside).toMatchObject({ isError: true })

  const [pid = 0] = findByCommand(folder.path)
  process.kill(pid, 'SIGKILL')
  const read = () => talk.call('read_text_file', { path }).catch(() => undefined)
  await waitFor(() => talk.connection.state.status !== 'ready')
  await waitFor(async () => (await read()) === 'what is in it', { timeoutMs: 10_000 })
  expect(findByCommand(folder.path)).not.toContain(pid)

  await talk.connection.close()
  expect(findByCommand(folder.path)).toEqual([])
})
