import { createConsent } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestGateway } from './scenarios/test-gateway.ts'
import { register } from './scenarios/test-sign-in.ts'

test('a query keeps its question marks [E2.2]', async () => {
  const { workers, key } = await startTestGateway()
  const { address } = await register(workers[0].url)
  const asked = address.replace('state=s', 'state=abc?def')
  const back = new URL(await createConsent({ key })(asked))
  expect(back.searchParams.get('state')).toBe('abc?def')
})
