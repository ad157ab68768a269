import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './temporary-directory.ts'

test('a temporary directory is empty, its own, and gone with its content afterwards', async () => {
  let path: string
  {
    await using first = await temporaryDirectory()
    await using second = await temporaryDirectory()
    expect(first.path).not.toBe(second.path)
    expect(await readdir(first.path)).toEqual([])
    path = first.path
    await mkdir(join(path, 'deep/er'), { recursive: true })
    await writeFile(join(path, 'deep/er/file'), 'x')
  }
  expect(existsSync(path)).toBe(false)
})
