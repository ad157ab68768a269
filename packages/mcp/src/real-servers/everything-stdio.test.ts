import { createCanary } from '@dataagent/testkit'
import { expect, test, vi } from 'vitest'
import { describeEverything } from './describe-everything.ts'
import { openEverything, talkTo } from './test-everything.ts'

describeEverything('stdio')

test('server-everything sees nothing of our environment but what it needs to run', async () => {
  const { marker } = createCanary()
  vi.stubEnv('OF_THE_HOST', marker)
  await using server = await openEverything('stdio')
  await using talk = await talkTo(server)
  const seen = await talk.call('get-env')
  expect(seen).toContain('"PATH"')
  expect(seen).not.toContain(marker)
  vi.unstubAllEnvs()
})
