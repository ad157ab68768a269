import { appendFile, chmod, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createHistory } from './history.ts'

async function inFolder() {
  const folder = await temporaryDirectory()
  return {
    file: join(folder.path, 'deep', 'history'),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  }
}

async function reopen(file: string) {
  const history = createHistory({ file })
  await history.loaded
  return history.entries()
}

test('what was sent is there at the next start, whatever is in it', async () => {
  await using place = await inFolder()
  const history = createHistory(place)
  for (const text of ['first', 'two\nlines "quoted"', '上月销售额?']) history.add(text)
  await history.flush()
  expect(await reopen(place.file)).toEqual(['first', 'two\nlines "quoted"', '上月销售额?'])
})

test('lines that begin with a space, empty ones and repetitions are not kept', async () => {
  await using place = await inFolder()
  const history = createHistory(place)
  for (const text of ['a', 'a', ' secret', '', '  ', 'b', 'a']) history.add(text)
  await history.flush()
  expect(history.entries()).toEqual(['a', 'b', 'a'])
  expect(await readFile(place.file, 'utf8')).toBe('"a"\n"b"\n"a"\n')
})

test('nobody else may read it, also where the file was open to all', async () => {
  await using place = await inFolder()
  const history = createHistory(place)
  history.add('a')
  await history.flush()
  expect((await stat(place.file)).mode & 0o777).toBe(0o600)
  await chmod(place.file, 0o644)
  history.add('b')
  await history.flush()
  expect((await stat(place.file)).mode & 0o777).toBe(0o600)
})

test('several terminals at once lose nothing, also while the file turns over', async () => {
  await using place = await inFolder()
  const terminals = [1, 2, 3].map(() => createHistory({ ...place, maxBytes: 5000 }))
  const long = 'x'.repeat(40)
  for (let at = 0; at < 50; at++) {
    for (const [who, history] of terminals.entries()) history.add(`${who}-${at} ${long}`)
  }
  await Promise.all(terminals.map((history) => history.flush()))
  const all = [0, 1, 2].flatMap((who) =>
    Array.from({ length: 50 }, (_, at) => `${who}-${at} ${long}`),
  )
  expect((await reopen(place.file)).toSorted()).toEqual(all.toSorted())
  const names = await readdir(join(place.file, '..'))
  expect(names).toContain('history.old')
  expect(names).not.toContain('history.lock')
})

test('it is bounded: the file and an older one', async () => {
  await using place = await inFolder()
  const history = createHistory({ ...place, maxBytes: 200 })
  for (let at = 0; at < 200; at++) history.add(`message ${at}`)
  await history.flush()
  const sizes = await Promise.all([place.file, `${place.file}.old`].map((file) => stat(file)))
  for (const { size } of sizes) expect(size).toBeLessThan(300)
  const kept = await reopen(place.file)
  expect(kept.at(-1)).toBe('message 199')
  expect(kept.length).toBeGreaterThan(10)
})

test('a lock that a crash has left does not keep it from turning over', async () => {
  await using place = await inFolder()
  const history = createHistory({ ...place, maxBytes: 50 })
  history.add('a'.repeat(60))
  await history.flush()
  await writeFile(`${place.file}.lock`, '')
  await utimes(`${place.file}.lock`, 1, 1)
  history.add('b')
  await history.flush()
  expect(await readFile(`${place.file}.old`, 'utf8')).toContain('"b"')
})

test('lines that are none, or hold escapes, are left out or made harmless', async () => {
  await using place = await inFolder()
  const history = createHistory(place)
  history.add('good')
  await history.flush()
  await appendFile(place.file, '{"no":1}\nno json\n"\\u001b[2Jwiped"\n"cut')
  expect(await reopen(place.file)).toEqual(['good', 'wiped'])
})

test('what is too long is for this run only', async () => {
  await using place = await inFolder()
  const history = createHistory({ ...place, maxLength: 10 })
  history.add('short')
  history.add('much longer than that')
  await history.flush()
  expect(history.entries()).toHaveLength(2)
  expect(await reopen(place.file)).toEqual(['short'])
})

test('where nothing can be written, it is one of this run', async () => {
  await using folder = await temporaryDirectory()
  const blocked = join(folder.path, 'file')
  await writeFile(blocked, '')
  const history = createHistory({ file: join(blocked, 'history') })
  history.add('a')
  await history.flush()
  expect(history.entries()).toEqual(['a'])
})
