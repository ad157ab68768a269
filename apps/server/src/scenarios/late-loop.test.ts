import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform } from '../testing/test-platform.ts'
import { createMovableClock } from './test-clock.ts'

test('a server later than max_loop_delay_ms says when to come back, and is there again then [D23.6] [F30]', async () => {
  const clock = createMovableClock()
  await using server = await startTestPlatform({ clock, config: { max_loop_delay_ms: 1_000 } })
  const list = () => server.ask('GET', '/sessions')
  const refused = await waitFor(
    async () => {
      clock.advance(1_200)
      const answer = await list()
      return answer.status === 200 ? undefined : answer
    },
    { what: 'a request that is refused' },
  )
  expect(refused).toMatchObject({ status: 503, body: { error_code: 'unavailable' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await server.ask('GET', '/health', { as: null })).status).toBe(200)
  await waitFor(async () => (await list()).status === 200, {
    timeoutMs: 20_000,
    what: 'a request that is served',
  })
})
