import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createCredentials } from './credentials.ts'
import { createMemoryOAuthStore } from './oauth-store.ts'

const issuer = 'https://login.example'
const tokens = { issuer, access_token: 'a', token_type: 'Bearer' }

/** Two processes on one store. */
function setUp() {
  const clock = createFakeClock()
  const store = createMemoryOAuthStore()
  let reads = 0
  const counting = {
    ...store,
    get: (key: string) => {
      reads += 1
      return store.get(key)
    },
  }
  const open = (from: typeof store) =>
    createCredentials({
      ...{ store: from, clock, serverUrl: new URL('https://tools.example/mcp') },
      onWarning: () => {},
    })
  return { clock, here: open(counting), there: open(store), reads: () => reads }
}

test('where nobody has signed in the store is asked once a second', async () => {
  const { clock, here, reads } = setUp()
  for (let at = 0; at < 100; at += 1) expect(await here.tokens()).toBeUndefined()
  expect(reads()).toBe(1)
  clock.advance(1_000)
  await here.tokens()
  expect(reads()).toBe(2)
})

test('who signs in here is known at once, who does elsewhere within a second', async () => {
  const { clock, here, there } = setUp()
  await there.tokens()
  await here.tokens()
  await there.saveServer({ authorization_server: { issuer } } as never)
  await there.saveTokens(tokens as never)
  expect(await there.tokens()).toMatchObject(tokens)
  expect(await here.tokens()).toBeUndefined()
  expect(await here.reload()).toMatchObject(tokens)
  await here.dropTokens(issuer)
  clock.advance(1_000)
  expect(await here.tokens()).toBeUndefined()
  await here.saveTokens(tokens as never)
  expect(await here.tokens()).toMatchObject(tokens)
})
