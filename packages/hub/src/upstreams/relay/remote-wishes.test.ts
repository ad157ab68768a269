import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createBorrowedWishes, type ToldWishes, wishesKeptMs } from '../links/borrowed-wishes.ts'
import type { Wishes } from '../links/wishes.ts'
import { createRemoteWishes } from './remote-wishes.ts'

/** Two processes whose messages arrive at once, and what the one that holds the server wants. */
function connect() {
  const clock = createFakeClock()
  const heard: ToldWishes[] = []
  const stage = { isCut: false, wanted: [] as string[], holder: hold() }
  const wishes = createRemoteWishes({
    clock,
    async send(told) {
      heard.push(told)
      if (stage.isCut) throw new Error('the KV is away')
      return await stage.holder.wish('other', told)
    },
  })
  return { clock, heard, stage, wishes }

  function hold() {
    const wish = async ({ uris, level }: Wishes) => {
      stage.wanted = [...uris, ...(level ? [level] : [])]
      return []
    }
    return createBorrowedWishes(clock, () => ({ wish }))
  }
}

test('what has changed is said, all together that changed at once', async () => {
  const { heard, stage, wishes } = connect()
  await Promise.all([wishes.set({ uris: ['a'] }), wishes.set({ uris: ['a', 'b'] })])
  await wishes.set({ uris: ['b', 'c'], level: 'info' })
  expect(heard).toEqual([
    { uris: ['a', 'b'], revision: 1 },
    { uris: ['c'], dropped: ['a'], level: 'info', base: 1, revision: 2 },
  ])
  expect(stage.wanted).toEqual(['b', 'c', 'info'])
})

test('wishes are kept as long as they are repeated, which says nothing of them again', async () => {
  const { clock, heard, stage, wishes } = connect()
  await wishes.set({ uris: ['a'] })
  for (let third = 0; third < 6; third += 1) await clock.advanceAsync(wishesKeptMs / 3)
  expect(stage.wanted).toEqual(['a'])
  expect(heard.slice(1).flatMap(({ uris }) => uris)).toEqual([])
  stage.isCut = true
  await clock.advanceAsync(wishesKeptMs)
  expect(stage.wanted).toEqual([])
  stage.isCut = false
  await clock.advanceAsync(wishesKeptMs / 3)
  expect(stage.wanted).toEqual(['a'])
})

test('a holder that has forgotten is told all', async () => {
  const { stage, heard, wishes } = connect()
  await wishes.set({ uris: ['a'] })
  await stage.holder.wish('other', { uris: [] })
  expect(stage.wanted).toEqual([])
  await wishes.set({ uris: ['a', 'b'] })
  expect(stage.wanted).toEqual(['a', 'b'])
  expect(heard.map(({ base }) => base)).toEqual([undefined, 1, undefined])
})

test('after a message that was lost all is said, and what is taken back at the end', async () => {
  const { stage, wishes } = connect()
  await wishes.set({ uris: ['a'] })
  stage.isCut = true
  await expect(wishes.set({ uris: ['a', 'b'] })).rejects.toThrow('away')
  stage.isCut = false
  await wishes.set({ uris: ['b'] })
  expect(stage.wanted).toEqual(['b'])
  wishes.end()
  await expect.poll(() => stage.wanted).toEqual([])
})
