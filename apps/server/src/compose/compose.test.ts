import { createSecret } from '@dataagent/schema'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestLog, testConfig } from '../testing/test-app.ts'
import { startServer } from './compose.ts'

test('what is to take the place of one that serves ends where it does not get ready, and says why', async () => {
  await using directory = await temporaryDirectory()
  const clock = createFakeClock()
  const { log, masker } = createTestLog()
  const config = testConfig({
    ...{ data_dir: directory.path, port: 0, redis_url: createSecret('redis://127.0.0.1:1') },
  })
  const joins = { port: 1, onTrial: true }
  const onFatal = (error: unknown) => expect.unreachable(String(error))
  const starting = startServer({ config, log, masker, clock, joins, onFatal }, 'worker')
  const refused = expect(starting).rejects.toThrow(/not ready after 60 seconds: .*key-value store/)
  await clock.advanceAsync(61_000)
  await refused
})
