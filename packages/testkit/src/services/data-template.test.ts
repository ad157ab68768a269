import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../temporary-directory.ts'
import { fillFromTemplate } from './data-template.ts'

afterEach(() => vi.unstubAllEnvs())

async function prepare() {
  const root = await temporaryDirectory()
  await chmod(root.path, 0o755)
  vi.stubEnv('TMPDIR', root.path)
  let builds = 0
  let made = 0

  async function fill(recipe = 'a'): Promise<string> {
    const directory = join(root.path, `instance-${++made}`)
    await mkdir(directory)
    await fillFromTemplate({
      directory,
      binary: process.execPath,
      recipe,
      async build() {
        await mkdir(join(directory, 'data'))
        await writeFile(join(directory, 'data/file'), `build ${++builds}`)
      },
    })
    return readFile(join(directory, 'data/file'), 'utf8')
  }
  return { root, fill, cache: join(root.path, `dataagent-testkit-${process.getuid?.()}`) }
}

test('data is built once for a recipe and copied from then on', async () => {
  const { root, fill } = await prepare()
  await using _ = root
  expect([await fill('a'), await fill('a'), await fill('b')]).toEqual([
    'build 1',
    'build 1',
    'build 2',
  ])
})

test('those who race all get whole data', async () => {
  const { root, fill } = await prepare()
  await using _ = root
  const filled = await Promise.all([1, 2, 3, 4].map(() => fill()))
  for (const content of filled) expect(content).toMatch(/^build \d$/)
})

test('a cache that others can write is not used', async () => {
  const { root, fill, cache } = await prepare()
  await using _ = root
  await fill()
  await chmod(cache, 0o777)
  expect(await fill()).toBe('build 2')
})
