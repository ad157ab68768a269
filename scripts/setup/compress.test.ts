import { readFileSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { compressFiles } from './compress.mjs'

test('each file that is worth it has its compressed forms beside it', async () => {
  await using directory = await temporaryDirectory()
  await mkdir(join(directory.path, 'assets'))
  const text = 'let a = 1\n'.repeat(1000)
  await writeFile(join(directory.path, 'assets', 'a.js'), text)
  await writeFile(join(directory.path, 'small.css'), 'a{}')
  await writeFile(join(directory.path, 'a.png'), Buffer.alloc(5000))
  const sizes = compressFiles(directory.path)
  expect(sizes).toEqual([
    { file: 'assets/a.js', bytes: 10_000, sent: expect.any(Number) },
    { file: 'small.css', bytes: 3, sent: 3 },
  ])
  expect(sizes[0]?.sent).toBeLessThan(200)
  expect((await readdir(directory.path)).sort()).toEqual(['a.png', 'assets', 'small.css'])
  const assets = join(directory.path, 'assets')
  expect(brotliDecompressSync(readFileSync(join(assets, 'a.js.br'))).toString()).toBe(text)
  expect(gunzipSync(readFileSync(join(assets, 'a.js.gz'))).toString()).toBe(text)
})
