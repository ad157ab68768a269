import { expect, test } from 'vitest'
import { createPartLoader, type PartState } from './part-loader.ts'

type Try = 'away' | 'fails' | 'comes'

/** Loads as `tries` say, one after the other; gives what was asked for and what was told. */
async function load(tries: readonly Try[]) {
  let at = 0
  let asked = 0
  const pauses: number[] = []
  const told: PartState<string>[] = []
  const loader = createPartLoader({
    isServerThere: async () => tries[at] !== 'away',
    async load() {
      asked += 1
      if (tries[at] !== 'comes') throw new TypeError('Failed to fetch')
      return 'part'
    },
    async pause(ms) {
      pauses.push(ms)
      at += 1
    },
  })
  await new Promise<void>((resolve) => {
    loader.subscribe(() => {
      told.push(loader.state())
      if (loader.state().status === 'there') resolve()
    })
    loader.begin()
    loader.begin()
  })
  return { asked, pauses, told: told.map(({ status }) => status) }
}

test('a part comes once, however often it is wanted', async () => {
  expect(await load(['comes'])).toEqual({ asked: 1, pauses: [], told: ['there'] })
})

test('a part is not asked for while the server is away', async () => {
  const tries = [...Array<Try>(7).fill('away'), 'comes' as const]
  const { asked, pauses, told } = await load(tries)
  expect([asked, told]).toEqual([1, ['there']])
  expect([pauses[0], pauses.at(-1)]).toEqual([500, 15_000])
})

test('a part that a server which answers does not give is said to be stuck, and may still come', async () => {
  const tries: Try[] = ['fails', 'away', 'fails', 'fails', 'fails', 'comes']
  expect(await load(tries)).toMatchObject({ asked: 5, told: ['stuck', 'there'] })
})
