import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Observed } from '../catalogue/index.ts'
import { createCatalogueTeller } from './catalogue-teller.ts'

const place = { tenant_id: 'acme', server_id: 'a' }
const lost: Observed = { status: 'unreachable', message: 'lost' }

function create() {
  const clock = createFakeClock()
  const told: [number, unknown][] = []
  const failures: string[] = []
  const state = { fails: 0 }
  const teller = createCatalogueTeller({
    clock,
    async observe(_place, seen) {
      told.push([clock.monotonic(), seen])
      state.fails -= 1
      if (state.fails >= 0) throw new Error('the store is away')
    },
    onFailure: (_place, text) => failures.push(text),
  })
  return { clock, told, failures, state, teller }
}

function offers(...tools: string[]): Observed {
  return { status: 'offers', tools }
}

test('what the catalogue could not take over is told again, ever more rarely, with one word of it', async () => {
  const { clock, told, failures, state, teller } = create()
  state.fails = 3
  await teller.tell(place, offers('x'))
  await clock.advanceAsync(60_000)
  expect(told.map(([at]) => at)).toEqual([0, 1_000, 3_000, 7_000])
  expect(failures).toHaveLength(1)
})

test('newer news take the place of what is still to be told', async () => {
  const { clock, told, state, teller } = create()
  state.fails = 1
  await teller.tell(place, offers('x'))
  await teller.tell(place, lost)
  await clock.advanceAsync(60_000)
  expect(told.map(([, seen]) => seen)).toEqual([offers('x'), lost])
})

test('news of one server do not touch those of another, and none come after the end', async () => {
  const { clock, told, state, teller } = create()
  state.fails = 2
  await teller.tell(place, offers('x'))
  await teller.tell({ ...place, server_id: 'b' }, lost)
  await clock.advanceAsync(1_000)
  expect(told).toHaveLength(4)
  state.fails = 1
  await teller.tell(place, lost)
  teller.close()
  await clock.advanceAsync(60_000)
  expect(told).toHaveLength(5)
})

test('who waits until the last news are taken over is told why they are not', async () => {
  const { clock, state, teller } = create()
  state.fails = 1
  void teller.tell(place, offers('x'))
  await expect(teller.untilTaken(place)).rejects.toThrow('the store is away')
  await expect(teller.untilTaken(place)).rejects.toThrow('the store is away')
  await teller.untilTaken({ ...place, server_id: 'b' })
  await clock.advanceAsync(1_000)
  await teller.untilTaken(place)
})
