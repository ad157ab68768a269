import { randomUUID } from 'node:crypto'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createChannels } from './channels.ts'
import { describeKv } from './describe-kv.ts'

describeKv('messages', ({ kv, other }) => {
  test('reach all that listen to the channel, in order, and nobody else', async () => {
    const channel = randomUUID()
    const [first, second, elsewhere]: string[][] = [[], [], []]
    await kv.subscribe(channel, (text) => void first?.push(text))
    await other.subscribe(channel, (text) => void second?.push(text))
    await other.subscribe(`${channel}2`, (text) => void elsewhere?.push(text))
    const texts = Array.from({ length: 50 }, (_, i) => `${i} 漢🙂`)
    await Promise.all(texts.map((text) => kv.publish(channel, text)))
    await waitFor(() => first?.length === 50 && second?.length === 50)
    expect([first, second, elsewhere]).toEqual([texts, texts, []])
  })

  test('do not come any more once the subscription has ended', async () => {
    const channel = randomUUID()
    const [ended, open]: string[][] = [[], []]
    const end = await kv.subscribe(channel, (text) => void ended?.push(text))
    await kv.subscribe(channel, (text) => void open?.push(text))
    await end()
    await end()
    await other.publish(channel, 'later')
    await waitFor(() => open?.length === 1)
    expect(ended).toEqual([])
  })

  test('a channel can be listened to again after its last listener left', async () => {
    const channel = randomUUID()
    const end = await kv.subscribe(channel, () => {})
    const heard: string[] = []
    const [, endSecond] = await Promise.all([
      end(),
      kv.subscribe(channel, (text) => void heard.push(text)),
    ])
    await other.publish(channel, 'again')
    await waitFor(() => heard.length === 1)
    await endSecond()
  })
})

test('a handler that throws or rejects is reported and breaks no other', async () => {
  const errors: unknown[] = []
  const heard: string[] = []
  const channels = createChannels((error) => errors.push(error))
  channels.add('c', {
    handler() {
      throw new Error('thrown')
    },
  })
  channels.add('c', { handler: () => Promise.reject(new Error('rejected')) })
  channels.add('c', { handler: (text) => void heard.push(text) })
  channels.deliver('c', 'one')
  channels.deliver('c', 'two')
  await waitFor(() => errors.length === 4)
  expect(heard).toEqual(['one', 'two'])
})
