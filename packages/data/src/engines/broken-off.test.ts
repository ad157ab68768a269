import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openEngine } from './open-engine.ts'

test('a DuckDB query that fails midway gives an error, not the rows until then', async () => {
  await using dir = await temporaryDirectory()
  await using engine = openEngine({ kind: 'files', folder: dir.path })
  const sql =
    "SELECT CAST(CASE WHEN i < 900000 THEN '1' ELSE 'x' END AS INTEGER) AS n FROM range(1000000) t(i)"
  const read = async () => {
    const { batches } = await engine.query(sql, { timeoutMs: 20_000 })
    return (await Array.fromAsync(batches)).flat().length
  }
  await expect(read()).rejects.toMatchObject({ name: 'AppError' })
  const good = await engine.query('SELECT i FROM range(100000) t(i)', { timeoutMs: 20_000 })
  expect((await Array.fromAsync(good.batches)).flat()).toHaveLength(100_000)
})
