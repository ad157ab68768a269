import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { modern } from './test-clients.ts'
import { admin, startTestGateway } from './test-gateway.ts'
import { createMovingClock } from './test-moving-clock.ts'
import { noteUri, startUpstream } from './test-upstream.ts'
import { ask, request, send } from './test-wire.ts'

const strange = Array.from({ length: 200 }, (_, i) => `nope://${i}`)

test('to listen to many resources asks each server once, and not again for every change [E5.2]', async () => {
  const clock = createMovingClock()
  const { workers, key: token, connect } = await startTestGateway({ clock })
  const [{ url, gateway }] = workers
  const upstreams = [await startUpstream(), await startUpstream()]
  for (const [i, upstream] of upstreams.entries()) {
    await connect({ name: `notes${i}`, url: upstream.url })
  }
  const asked = () => upstreams.map((upstream) => upstream.asked.toSorted())
  const both = ['resources/list', 'resources/templates/list']
  const notifications = { resourceSubscriptions: [...strange, noteUri] }
  const listen = modern('subscriptions/listen', { notifications })
  await send(`${url}/mcp`, { token, ...listen })
  await waitFor(() => upstreams.some(({ subscribed }) => subscribed.has(noteUri)))
  const once = [[...both, 'resources/subscribe'].toSorted(), both]
  expect(asked()).toEqual(once)
  await send(`${url}/mcp`, { token, ...listen })
  await gateway.groups.update(admin, 'all', { description: 'Another one.' })
  clock.advance(51)
  // What was going to be asked is asked before this is.
  await ask(`${url}/mcp`, { token, body: request(1, 'resources/list') })
  expect(asked()).toEqual(once)
})
