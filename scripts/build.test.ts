import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, copyFile, cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type TemporaryDirectory, temporaryDirectory } from '@dataagent/testkit'
import { parseSync } from 'oxc-parser'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeCommand } from './build/describe-command.ts'
import {
  type InstalledPackage,
  installPackages,
  packPackages,
} from './build/test-installed-packages.ts'
import { run } from './build/test-run.ts'
import { linkDependencies } from './build/test-staged-tree.ts'
import { importsOf } from './checks/imports.mjs'
import { isTestPath } from './checks/tree.mjs'
import { blocksOf, withPlaces } from './readme/page-blocks.ts'
import { repository } from './setup/paths.mjs'

let directory: TemporaryDirectory
let installed: InstalledPackage[]
/** A user's project, and one of a user who has LangChain, but not DeepAgents. */
let app: string
let graphs: string

const consumers = {
  'consumer.ts': 'build/test-consumer.ts',
  'agent.ts': 'build/test-agent-consumer.ts',
  'client.ts': 'build/test-client-consumer.ts',
  'graph.ts': 'build/test-langchain-consumer.ts',
}

const types = ['@types/node', 'undici-types']

beforeAll(async () => {
  directory = await temporaryDirectory()
  const release = await packPackages(directory.path)
  app = join(directory.path, 'app')
  graphs = join(directory.path, 'graphs')
  installed = await installPackages(release, app, types)
  await installPackages(release, graphs, [...types, ...peersOfLangChain()])
  for (const project of [app, graphs]) {
    for (const [name, file] of Object.entries(consumers)) {
      await copyFile(join(import.meta.dirname, file), join(project, name))
    }
  }
  await copyDataProgram()
}, 240_000)

/**
 * The first program on the page of the data package, without its sandbox: that shows its process no
 * folder outside of the project, and the dependencies of this one are links into the repository.
 */
async function copyDataProgram(): Promise<void> {
  const found = installed.find(({ name }) => name === '@dataagent/data')
  const page = await readFile(join(`${found?.dir}`, 'README.md'), 'utf8')
  const opens = "openEngine({ kind: 'files', folder }"
  const program = withPlaces(`${blocksOf(page, 'ts')[0]}`, {
    [opens]: `${opens}, { sandbox: 'off' }`,
  })
  await writeFile(join(app, 'data.ts'), program)
}

/** What a user of `@dataagent/langchain` has to have. */
function peersOfLangChain(): string[] {
  const found = installed.find(({ name }) => name === '@dataagent/langchain')
  const { peerDependencies = {}, peerDependenciesMeta = {} } = found?.manifest ?? {}
  return Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
}

afterAll(async () => {
  await directory[Symbol.asyncDispose]()
})

test('every package whose manifest is not private is packed, with each file it exports', async () => {
  expect(installed.map(({ name }) => name)).toEqual([
    '@dataagent/schema',
    '@dataagent/client',
    '@dataagent/guard',
    '@dataagent/harbor',
    '@dataagent/mcp',
    '@dataagent/hub',
    '@dataagent/core',
    '@dataagent/data',
    '@dataagent/gateway',
    '@dataagent/langchain',
    '@dataagent/store',
    '@dataagent/server',
    'dataagent',
  ])
  for (const { dir, manifest } of installed) {
    const exported = Object.values(manifest.exports ?? {}).flatMap(
      ({ 'dataagent-source': _, ...targets }) => Object.values(targets),
    )
    const targets = [...exported, ...Object.values(manifest.bin ?? {})]
    expect(targets.length).toBeGreaterThan(0)
    for (const target of targets) await access(join(dir, target))
  }
})

test('what is exported from the sources alone, which are not packed, is for our tests', () => {
  const exported = installed.flatMap(({ manifest }) => Object.values(manifest.exports ?? {}))
  const sources = exported.filter((one) => Object.keys(one).join() === 'dataagent-source')
  const paths = sources.map((one) => `${one['dataagent-source']}`)
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !isTestPath(path))).toEqual([])
})

test('publint finds nothing to mend in any of them', async () => {
  for (const { dir, manifest } of installed) {
    const { messages, pkg } = await publint({ pkgDir: dir, pack: false, level: 'warning' })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
    expect(manifest).not.toHaveProperty('scripts')
  }
})

test('a package declares every package that it imports', async () => {
  for (const { dir, manifest } of installed) {
    const { name, dependencies, peerDependencies } = manifest
    const declared = Object.keys({ ...dependencies, ...peerDependencies, [name]: '' })
    const missing = (await importedIn(dir)).filter((imported) => !declared.includes(imported))
    expect({ name, missing }).toEqual({ name, missing: [] })
  }
})

/** The packages that its files and types import. Pages are for a browser and have all in them. */
async function importedIn(dir: string): Promise<string[]> {
  const files = await readdir(dir, { recursive: true })
  const programs = files.filter((file) => /^(?!dist[\\/]pages).*\.(?:m?js|d\.ts)$/.test(file))
  const found = await Promise.all(
    programs.map(async (path) => {
      const text = await readFile(join(dir, path), 'utf8')
      return importsOf({ path, text, parse: () => parseSync(path, text, { astType: 'ts' }) })
    }),
  )
  const names = found.flat().map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0])
  const isForeign = (one?: string) => one !== undefined && !one.startsWith('.') && !isBuiltin(one)
  return [...new Set(names.filter(isForeign))].map(String)
}

test('a package holds its pages and its licence, and nothing of the source or of tests', async () => {
  for (const { dir, manifest } of installed) {
    const files = await readdir(dir, { recursive: true })
    expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md']))
    expect(manifest.files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'dist']))
    const odd = files.filter(
      (file) =>
        !/^(?:package\.json|(?:CHANGELOG|README)\.md|LICENSE|(?:bin|dist)(?:$|[\\/]))/.test(file),
    )
    expect(odd).toEqual([])
    const tests = /(?<!\.d)\.ts$|\.test\.|[\\/](?:test|describe)-|[\\/]testing(?:$|[\\/])/
    expect(files.filter((file) => tests.test(file))).toEqual([])
  }
})

test('a package says which Node it needs', () => {
  const unsaid = installed.filter(({ manifest }) => !/^>=24\b/.test(`${manifest.engines?.node}`))
  expect(unsaid.map(({ name }) => name)).toEqual([])
})

test('the page of a package leads nowhere outside of it', async () => {
  const pages = await Promise.all(
    installed.map(async ({ name, dir }) => [name, await readFile(join(dir, 'README.md'), 'utf8')]),
  )
  const links = pages.flatMap(([name, page]) =>
    [...`${page}`.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, link]) => [name, link]),
  )
  expect(links).toEqual([])
})

test('a plain Node imports the client and calls a tool in process and over stdio', async () => {
  const output = await run(process.execPath, ['consumer.ts'], app)
  expect(output).toBe('{"say":"hello"}\n{"say":"hello"}\n')
})

test('a plain Node asks a server with the client', async () => {
  expect(await run(process.execPath, ['client.ts'], app)).toBe('Demo\n404\n')
})

test('a plain Node asks data as the page of the package says', async () => {
  const output = await run(process.execPath, ['data.ts'], app)
  expect(output).toMatch(/^\[ \[ 'East', 30 \], \[ 'West', 20 \] \]\nEast █/)
})

test('a strict compiler of a user takes the types', { timeout: 120_000 }, async () => {
  await compile(app, 'consumer.ts', 'agent.ts', 'client.ts')
  // The types of ECharts are about those of a browser.
  await compile(app, '--lib', 'esnext,dom', 'data.ts')
})

/** As a strict user has it. Answers the files that the compiler has read. */
async function compile(project: string, ...words: string[]): Promise<string> {
  const tsc = join(repository, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024']
  const files = ['--lib', 'esnext', '--types', 'node', '--listFiles']
  return await run(process.execPath, [tsc, ...options, ...files, ...words], project)
}

test('nobody who does not use LangChain installs it, or loads it', async () => {
  const others = installed.filter(({ name }) => name !== '@dataagent/langchain')
  const declared = others.flatMap(({ manifest: { dependencies, peerDependencies } }) =>
    Object.keys({ ...dependencies, ...peerDependencies }),
  )
  expect(declared.filter((name) => /langchain|langgraph|deepagents/.test(name))).toEqual([])
  expect(await run(process.execPath, ['agent.ts'], app)).toBe('answered\n0\n')
})

describe('a user of LangChain who has not DeepAgents', () => {
  test('uses our models, checkpointer and configuration', async () => {
    const output = await run(process.execPath, ['graph.ts'], graphs)
    expect(output).toBe("twice is 42\n[ 'value' ] Quiet\n")
  })

  test('is told by the import of what is DeepAgents’ that it is missing', async () => {
    const program = "await import('@dataagent/langchain/deepagents')"
    const ran = run(process.execPath, ['--input-type=module', '-e', program], graphs)
    await expect(ran).rejects.toThrow("Cannot find package 'deepagents'")
  })

  // Of LangChain's own types not all compile by themselves.
  test('compiles, without a type of DeepAgents', { timeout: 120_000 }, async () => {
    const files = await compile(graphs, '--skipLibCheck', 'graph.ts')
    expect(files).toMatch(/langchain[\\/]dist[\\/]index\.d\.ts/)
    expect(files).not.toMatch(/deepagents|dist[\\/]backend/)
  })
})

test('the story of DeepAgents is told with the installed packages', async () => {
  await linkDependencies(join(graphs, 'node_modules'), ['deepagents'])
  const stories = join(repository, 'examples/langchain')
  for (const file of ['open-platform.ts', '03-deep-agent.ts']) {
    await cp(join(stories, file), join(graphs, file))
  }
  expect(await run(process.execPath, ['03-deep-agent.ts'], graphs)).toMatch(/\+buy milk/)
  const flags = ['--skipLibCheck', '--allowImportingTsExtensions']
  expect(await compile(graphs, ...flags, '03-deep-agent.ts')).toMatch(/dist[\\/]backend/)
})

describeCommand(() => app)

test('the reaper of child processes works as it is installed', async () => {
  const guard = installed.find(({ name }) => name === '@dataagent/guard')
  const sleeper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true })
  const ended = once(sleeper, 'exit')
  const reaper = spawn(process.execPath, [join(`${guard?.dir}`, 'dist/process/reaper-main.js')])
  reaper.stdin.end(`tag none-such.\nadd ${sleeper.pid}\n`)
  expect(await ended).toEqual([null, 'SIGKILL'])
})
