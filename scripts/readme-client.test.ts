import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { describePrograms, readPage, testLinks } from './readme/describe-page.ts'
import { rowsOf } from './readme/page-blocks.ts'
import { startServerProcess } from './readme/test-server-process.ts'

const page = await readPage('the page of the client', 'packages/client')

describePrograms(page, {
  async startPlaces(cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const server = cleanup.use(await startServerProcess(join(path, 'data')))
    return { 'http://localhost:8000': server.url, 'your key': server.key }
  },
  prints: [/event_type: 'done'[\s\S]*event_type: 'text'/, /^Ask an administrator/, /live/],
})

testLinks(page)

test('the table of methods has each subject of a client with all that it has, in order', () => {
  const { connect: _, ...subjects } = createClient({ baseUrl: 'http://localhost:8000' })
  const rows = Object.entries(subjects).map(([subject, methods]) => [
    `\`${subject}\``,
    Object.keys(methods)
      .map((name) => `\`${name}\``)
      .join(' '),
  ])
  const [, table = ''] = page.text.split('| subject | methods |')
  expect(rowsOf(table.split('\n\n')[0]!).slice(1)).toEqual(rows)
})
