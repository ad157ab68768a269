import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Kv } from '../kv-port.ts'
import { createLibrary } from './test-library.ts'
import { createRig, keyOf, type RigOptions } from './test-rig.ts'

const key = keyOf('a')

async function open(options: RigOptions = {}) {
  const library = createLibrary()
  const rig = createRig({ createTransport: library.createTransport, ...options })
  rig.servers.set('a', { name: 'a', command: 'in-process' })
  rig.upstreams.start()
  await rig.untilOffered('a')
  return { library, ...rig }
}

const toUris = (count: number) =>
  Array.from({ length: count }, (_, index) => `book://${index}/`.padEnd(2_000, 'x'))

/** Two processes: the second calls through the first. */
async function openTwo() {
  const stack = new AsyncDisposableStack()
  const memory = stack.use(createMemoryKv())
  const sent = { messages: 0, bytes: 0 }
  const kv: Kv = {
    ...memory,
    async publish(channel, message) {
      if (channel === 'hub:up:first') sent.messages += 1
      sent.bytes += message.length
      await memory.publish(channel, message)
    },
  }
  const first = stack.use(await open({ kv, owner: 'first' }))
  const second = stack.use(await open({ kv, owner: 'second' }))
  expect(second.upstreams.health('acme', 'a')[0]?.holder).toMatchObject({ own: false })
  return { first, second, sent, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('a log level reaches a server that is slow to subscribe to resources', async () => {
  await using rig = await open()
  const { upstreams, library } = rig
  library.silent.add('resources/subscribe')
  const subscribed = upstreams.subscribe(key, 'book://1').catch(({ kind }) => kind)
  await waitFor(() => library.asked.length === 1)
  const levelled = upstreams.setLevel(key, 'debug').catch(({ kind }) => kind)
  await waitFor(() => library.asked.length === 2)
  expect(library.asked).toEqual(['resources/subscribe book://1', 'logging/setLevel debug'])
  await upstreams.close()
  await Promise.all([subscribed, levelled])
})

test('a server that does not answer holds nobody up: its level is waited for once, for 2 s', async () => {
  const clock = createFakeClock()
  await using rig = await open({ clock })
  const { upstreams, library } = rig
  library.silent.add('logging/setLevel')
  const states = { first: false, second: false }
  const first = upstreams.setLevel(key, 'info').then(() => (states.first = true))
  await waitFor(() => library.asked.length === 1)
  await clock.advanceAsync(1_000)
  const second = upstreams.setLevel(key, 'error').then(() => (states.second = true))
  await clock.advanceAsync(999)
  expect(states).toEqual({ first: false, second: false })
  await clock.advanceAsync(1)
  await Promise.all([first, second])
  await upstreams.setLevel(key, 'info')
  expect(library.asked).toEqual(['logging/setLevel info'])
})

test('a level that is granted is asked for again by who wants more, or after a loss', async () => {
  await using stage = await openTwo()
  const { first, second, sent } = stage
  const { asked } = first.library
  await second.upstreams.setLevel(key, 'info')
  const before = sent.messages
  for (const level of ['error', 'info']) await second.upstreams.setLevel(key, level)
  expect([asked, sent.messages]).toEqual([['logging/setLevel info'], before])
  await second.upstreams.setLevel(key, 'debug')
  expect(asked).toEqual(['logging/setLevel info', 'logging/setLevel debug'])
  await second.upstreams.reconnect(key)
  await second.upstreams.setLevel(key, 'debug')
  await waitFor(() => asked.length === 3)
  expect(asked.at(-1)).toBe('logging/setLevel debug')
})

test('a level that is refused is told, and asked for again', async () => {
  await using rig = await open()
  const { upstreams, library } = rig
  library.refusesLevels = true
  await expect(upstreams.setLevel(key, 'info')).rejects.toMatchObject({ rpc: { code: -32602 } })
  library.refusesLevels = false
  await upstreams.setLevel(key, 'info')
  expect(library.asked).toHaveLength(2)
})

test.each(['one after the other', 'at once'])(
  'of many subscriptions %s through another process each is sent once',
  async (how) => {
    await using stage = await openTwo()
    const { first, second, sent } = stage
    const uris = toUris(100)
    const [missing = ''] = uris
    first.library.missing.add(missing)
    const subscribe = (uri: string) =>
      second.upstreams.subscribe(key, uri).catch(({ rpc }) => rpc.code)
    sent.bytes = 0
    const ends: unknown[] = []
    if (how === 'at once') ends.push(...(await Promise.all(uris.map(subscribe))))
    else for (const uri of uris) ends.push(await subscribe(uri))
    expect(ends.filter((end) => typeof end !== 'function')).toEqual([-32002])
    expect(ends[0]).toBe(-32002)
    const wanted = uris.slice(1).map((uri) => `resources/subscribe ${uri}`)
    expect(first.library.asked).toEqual(expect.arrayContaining(wanted))
    const text = uris.join('').length
    expect(sent.bytes).toBeLessThan(2 * text)
  },
)

test('what is taken back is given up at the server, the rest stays', async () => {
  await using stage = await openTwo()
  const { first, second } = stage
  const { asked } = first.library
  const [one] = await Promise.all(
    ['book://1', 'book://2'].map((uri) => second.upstreams.subscribe(key, uri)),
  )
  await one?.()
  const given = ['resources/subscribe book://1', 'resources/subscribe book://2']
  expect(asked).toEqual([...given, 'resources/unsubscribe book://1'])
})
