import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mountSmallDisk, temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { makeRetailSample } from './make-retail-sample.ts'
import { openTestRetail, testUntil } from './test-retail.ts'

const small = { until: testUntil, orders: 2_000 }
const files = ['customers.parquet', 'orders.parquet', 'products.parquet', 'regions.parquet']
const tables = ['orders', 'products', 'regions', 'customers']

test('the same seed and day give the same rows, another seed others', async () => {
  const hashes: unknown[] = []
  for (const [hours, seed] of [3, 3, 4].entries()) {
    const until = new Date(testUntil.getTime() + hours * 3_600_000)
    await using retail = await openTestRetail({ ...small, seed, until })
    const ofTables = tables.map(
      (table) => `(SELECT md5(string_agg(t::VARCHAR, '|')) FROM ${table} AS t)`,
    )
    const { rows } = await retail.query(`SELECT ${ofTables.join(', ')}`)
    hashes.push(rows)
  }
  expect(hashes[1]).toEqual(hashes[0])
  expect(hashes[2]).not.toEqual(hashes[0])
})

test('a sample that is there is left as it is', async () => {
  await using directory = await temporaryDirectory()
  const folder = join(directory.path, 'deep', 'retail')
  const made = await makeRetailSample({ ...small, folder })
  const before = await stat(join(folder, 'orders.parquet'))
  const again = await makeRetailSample({ ...small, folder, seed: 9 })
  expect([made.status, again.status]).toEqual(['made', 'kept'])
  expect(again.bytes).toBe(made.bytes)
  expect((await stat(join(folder, 'orders.parquet'))).mtimeMs).toBe(before.mtimeMs)
  expect(await readdir(dirname(folder))).toEqual(['retail'])
})

test('several that make it at once end with one whole sample', async () => {
  await using directory = await temporaryDirectory()
  const folder = join(directory.path, 'retail')
  const made = await Promise.all([1, 2, 3].map(() => makeRetailSample({ ...small, folder })))
  expect(made.filter(({ status }) => status === 'made')).toHaveLength(1)
  expect((await readdir(folder)).toSorted()).toEqual(files)
  expect(await readdir(directory.path)).toEqual(['retail'])
})

test('a folder with something else in it is refused and not touched', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'orders.parquet'), 'theirs')
  await expect(makeRetailSample({ ...small, folder: directory.path })).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Empty it'),
  })
  expect(await readdir(directory.path)).toEqual(['orders.parquet'])
})

test('after a kill -9 there is no half sample, and the next one makes it whole', async () => {
  await using directory = await temporaryDirectory()
  const folder = join(directory.path, 'retail')
  const begun = firstEntry(directory.path)
  const host = fileURLToPath(new URL('./test-maker-host.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=dataagent-source', host, folder])
  const gone = once(child, 'exit')
  expect(await begun).toMatch(/^\.retail\.making-/)
  child.kill('SIGKILL')
  expect(await gone).toEqual([null, 'SIGKILL'])
  expect(await readdir(directory.path)).not.toContain('retail')
  expect((await makeRetailSample({ ...small, folder })).status).toBe('made')
  expect((await readdir(folder)).toSorted()).toEqual(files)
})

test('what a killed one has left is removed once it is old, and not before', async () => {
  await using directory = await temporaryDirectory()
  for (const name of ['.retail.making-old', '.retail.making-new', '.other.making-old'])
    await mkdir(join(directory.path, name, 'part'), { recursive: true })
  const hourAgo = new Date(Date.now() - 3_600_000)
  for (const name of ['.retail.making-old', '.other.making-old'])
    await utimes(join(directory.path, name), hourAgo, hourAgo)
  await makeRetailSample({ ...small, folder: join(directory.path, 'retail') })
  const left = (await readdir(directory.path)).toSorted()
  expect(left).toEqual(['.other.making-old', '.retail.making-new', 'retail'])
})

test('a full disk is told as such, and nothing is left behind', async (ctx) => {
  await using disk = await mountSmallDisk({ bytes: 1024 * 1024 })
  if (disk === undefined) return ctx.skip('tmpfs cannot be mounted')
  const folder = join(disk.path, 'retail')
  await expect(makeRetailSample({ until: testUntil, folder })).rejects.toMatchObject({
    code: 'storage_full',
    message: expect.stringMatching(/disk is full.*Free some room/),
  })
  expect(await readdir(disk.path)).toEqual([])
  disk.grow(40 * 1024 * 1024)
  expect((await makeRetailSample({ until: testUntil, folder })).status).toBe('made')
})

test('when cancelled it stops and leaves nothing', async () => {
  await using directory = await temporaryDirectory()
  const controller = new AbortController()
  const { signal } = controller
  const begun = firstEntry(directory.path)
  const folder = join(directory.path, 'retail')
  const making = makeRetailSample({ until: testUntil, folder, signal })
  making.catch(() => {})
  await begun
  controller.abort()
  await expect(making).rejects.toMatchObject({ code: 'cancelled' })
  expect(await readdir(directory.path)).toEqual([])
})

async function firstEntry(directory: string): Promise<string> {
  const watcher = watch(directory)
  const [, name] = await once(watcher, 'change')
  watcher.close()
  return name
}
