import { expect, test } from 'vitest'
import { openTestDataRoom } from '../test-data-room.ts'
import { createDataTools } from './data-tools.ts'

test.each([
  [1_000, 61_000],
  [60_000, 120_000],
  [600_000, 1_200_000],
])('tools that query have room for one of %i ms and for one before it', async (timeoutMs, most) => {
  await using room = await openTestDataRoom({ queries: { timeoutMs } })
  const tools = createDataTools({ ...room, files: { write: async () => ({ bytes: 0 }) } })
  const limits = tools
    .filter(({ name }) => name === 'run_sql' || name === 'profile_table')
    .map((tool) => tool.timeoutMs)
  expect(limits).toEqual([most, most])
})
