import type { DataRow } from '@dataagent/schema'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { rowsOptions } from './rows-options.ts'

const long = 'x'.repeat(3_000)
const cut = `${'x'.repeat(2_000)}…`

/** Of a query whose kept rows are `kept`, and whose first are `first`. */
function observe(first: DataRow[], kept: readonly DataRow[]) {
  const asked: unknown[] = []
  const client = {
    data: {
      async rows(_query_id: string, page: { offset: number; limit: number }) {
        asked.push(page)
        return { rows: kept.slice(page.offset, page.offset + page.limit) }
      },
    },
  }
  const query = { query_id: 'id-1', rows: first, kept_rows: kept.length }
  const observer = new InfiniteQueryObserver(new QueryClient(), rowsOptions(client, query))
  const stop = observer.subscribe(() => {})
  return { asked, observer, [Symbol.dispose]: stop }
}

test('the first rows are those of the query where they are whole', async () => {
  using loaded = observe([['a'], ['…']], [['a'], ['…'], ['c']])
  expect(loaded.observer.getCurrentResult().data?.pages).toEqual([{ rows: [['a'], ['…']] }])
  await loaded.observer.fetchNextPage()
  expect(loaded.asked).toEqual([{ offset: 2, limit: 1_000 }])
})

test('the first rows are asked for where a text in them is cut', async () => {
  using loaded = observe([['a'], [cut]], [['a'], [long], ['c']])
  await expect.poll(() => loaded.observer.getCurrentResult().isSuccess).toBe(true)
  await loaded.observer.fetchNextPage()
  const { data } = loaded.observer.getCurrentResult()
  expect(data?.pages.flatMap((page) => page.rows)).toEqual([['a'], [long], ['c']])
  expect(loaded.asked).toEqual([
    { offset: 0, limit: 2 },
    { offset: 2, limit: 1_000 },
  ])
})

test('rows that are not kept are shown as they came', () => {
  using loaded = observe([[cut]], [])
  expect(loaded.observer.getCurrentResult().data?.pages).toEqual([{ rows: [[cut]] }])
  expect(loaded.asked).toEqual([])
})
