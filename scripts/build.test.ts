import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TemporaryDirectory, temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type InstalledPackage, installPackages } from './build/test-installed-packages.ts'
import { run } from './build/test-run.ts'
import { linkDependencies } from './build/test-staged-tree.ts'
import { repository } from './setup/paths.mjs'

let directory: TemporaryDirectory
let installed: InstalledPackage[]
let app: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  installed = await installPackages(directory.path)
  app = join(directory.path, 'app')
  await writeFile(join(app, 'package.json'), JSON.stringify({ type: 'module' }))
  await copyFile(join(import.meta.dirname, 'build/test-consumer.ts'), join(app, 'consumer.ts'))
})

afterAll(async () => {
  await directory[Symbol.asyncDispose]()
})

test('every package whose manifest is not private is packed, with each file it exports', async () => {
  expect(installed.map(({ name }) => name)).toEqual([
    '@dataagent/schema',
    '@dataagent/client',
    '@dataagent/guard',
    '@dataagent/mcp',
    '@dataagent/hub',
    '@dataagent/core',
    '@dataagent/gateway',
    '@dataagent/store',
  ])
  for (const { dir, manifest } of installed) {
    const targets = Object.values(manifest.exports).flatMap(({ types, default: main }) =>
      types === undefined && main === undefined ? [] : [`${types}`, `${main}`],
    )
    expect(targets.length).toBeGreaterThan(0)
    for (const target of targets) await access(join(dir, target))
  }
})

test('a package holds its licence, and nothing of the source or of tests', async () => {
  for (const { dir } of installed) {
    const files = await readdir(dir, { recursive: true })
    expect(files).toContain(join('dist', 'LICENSE'))
    const odd = files.filter((file) => !/^(?:package\.json|README\.md|dist(?:$|[\\/]))/.test(file))
    expect(odd).toEqual([])
    const tests = /(?<!\.d)\.ts$|\.test\.|[\\/](?:test|describe)-|[\\/]testing(?:$|[\\/])/
    expect(files.filter((file) => tests.test(file))).toEqual([])
  }
})

test('a plain Node imports the client and calls a tool in process and over stdio', async () => {
  const output = await run(process.execPath, ['consumer.ts'], app)
  expect(output).toBe('{"say":"hello"}\n{"say":"hello"}\n')
})

test('a strict compiler of a user takes the types', { timeout: 120_000 }, async () => {
  await linkDependencies(join(app, 'node_modules'), ['@types/node', 'undici-types'])
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const types = ['--lib', 'esnext', '--types', 'node']
  await run(process.execPath, [tsc, ...options, ...types, 'consumer.ts'], app)
})

test('the reaper of child processes works as it is installed', async () => {
  const guard = installed.find(({ name }) => name === '@dataagent/guard')
  const sleeper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  const ended = once(sleeper, 'exit')
  const reaper = spawn(process.execPath, [join(`${guard?.dir}`, 'dist/process/reaper-main.js')])
  reaper.stdin.end(`tag none-such.\nadd ${sleeper.pid}\n`)
  expect(await ended).toEqual([null, 'SIGKILL'])
})
