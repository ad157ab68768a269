import { join } from 'node:path'
import { type OtlpReceiver, startOtlpReceiver, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { readGuide } from './readme/describe-guide.ts'
import { describePrograms } from './readme/describe-page.ts'
import { blocksOf } from './readme/page-blocks.ts'
import { refusalsIn, runCommands } from './readme/run-commands.ts'
import { startServerProcess } from './readme/test-server-process.ts'

describePrograms(await readGuide('tracing.md'), {
  async startPlaces(cleanup) {
    const receiver: OtlpReceiver = cleanup.use(await startOtlpReceiver())
    return {
      'http://localhost:4318': receiver.url,
      'https://cloud.langfuse.com/api/public/otel': `${receiver.url}/api/public/otel`,
    }
  },
  prints: [/^spans that were given up: 0\n/, /^spans that were given up: 0\n/],
})

test('docs/observability.md makes the key that Prometheus scrapes with', async () => {
  await using folder = await temporaryDirectory()
  await using server = await startServerProcess(join(folder.path, 'data'))
  const { text } = await readGuide('observability.md')
  const commands = blocksOf(text, 'sh').filter((block) => block.startsWith('curl'))
  expect(commands).toHaveLength(1)
  const places = { 'localhost:8000': server.url, $ADMIN_KEY: server.key }
  const ran = await runCommands(commands, { places, cwd: folder.path })
  expect([ran.code, refusalsIn(ran)]).toEqual([0, []])
  const [, key = ''] = /"key":"([^"]+)"/.exec(ran.parts.join('')) ?? []
  const address = `${server.url}/api/v1/metrics?workers=all`
  const metrics = await fetch(address, { headers: { authorization: `Bearer ${key}` } })
  expect(metrics.status).toBe(200)
})
