import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { describePrograms, readPage, testLinks } from './readme/describe-page.ts'
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
