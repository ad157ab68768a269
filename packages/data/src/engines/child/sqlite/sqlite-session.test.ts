import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { openEngine } from '../../open-engine.ts'
import { readAll } from '../../test-sources.ts'

const byDesign = ['preferred', 'off'] as const

test.each(byDesign)(
  'a file in WAL mode is read, and nothing is made beside it (sandbox %s)',
  async (sandbox) => {
    await using folder = await temporaryDirectory()
    const path = join(folder.path, 'a b#?%.sqlite')
    const writer = new DatabaseSync(path)
    writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    writer.close()
    await using engine = openEngine({ kind: 'sqlite', path }, { sandbox })
    expect(await readAll(engine, 'SELECT a FROM t')).toEqual([[1]])
    expect(await readdir(folder.path)).toEqual(['a b#?%.sqlite'])
  },
)

test.each(byDesign)(
  'what another program has written and not yet put back is seen (sandbox %s)',
  async (sandbox) => {
    await using folder = await temporaryDirectory()
    const path = join(folder.path, 'a.sqlite')
    using writer = new DatabaseSync(path)
    writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)')
    await using engine = openEngine({ kind: 'sqlite', path }, { sandbox })
    expect(await readAll(engine, 'SELECT a FROM t')).toEqual([[1]])
    writer.exec('INSERT INTO t VALUES (2)')
    expect(await readAll(engine, 'SELECT sum(a) FROM t')).toEqual([[3]])
  },
)

test('a file that is none, or is written by another, is told as such', async () => {
  await using folder = await temporaryDirectory()
  const path = join(folder.path, 'a.sqlite')
  using writer = new DatabaseSync(path)
  writer.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1); BEGIN EXCLUSIVE')
  await using engine = openEngine({ kind: 'sqlite', path })
  await expect(readAll(engine, 'SELECT a FROM t')).rejects.toMatchObject({ code: 'unavailable' })
  writer.exec('ROLLBACK')
  expect(await readAll(engine, 'SELECT a FROM t')).toEqual([[1]])
  await writeFile(join(folder.path, 'b.sqlite'), 'nothing of the kind, and long enough to be read')
  await using other = openEngine({ kind: 'sqlite', path: join(folder.path, 'b.sqlite') })
  await expect(other.check({})).rejects.toMatchObject({ code: 'unavailable' })
})
