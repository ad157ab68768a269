import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { prepareDataDir } from './data-dir.ts'

test('every level that is absent is made, closed to other users', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'a', 'b', 'c')
  prepareDataDir(path)
  prepareDataDir(path)
  for (const made of [path, join(directory.path, 'a')])
    expect((await stat(made)).mode & 0o777).toBe(0o700)
})

test.each([[[]], [['data']], [['more', 'data']]])(
  'a file with %j after it is named as one',
  async (rest) => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'file')
    await writeFile(file, '')
    const text = {
      en: expect.stringContaining('is a file, not a directory'),
      zh: expect.any(String),
    }
    expect(() => prepareDataDir(join(file, ...rest))).toThrow(
      expect.objectContaining({ code: 'config_invalid', data: { text } }),
    )
  },
)

test.skipIf(process.platform !== 'linux')(
  'where the system makes no directories the start ends, and says so',
  () => {
    for (const path of ['/proc/foo', '/proc/foo/bar'])
      expect(() => prepareDataDir(path)).toThrow(`${path} cannot be made or written (ENOENT)`)
  },
)

test('a directory that is there already is left as it is', async () => {
  await using directory = await temporaryDirectory()
  const path = join(directory.path, 'there')
  await mkdir(path, { mode: 0o750 })
  prepareDataDir(path)
  expect((await stat(path)).mode & 0o777).toBe(0o750)
})
