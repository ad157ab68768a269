import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runChecks } from './findings.mjs'
import { plantTree } from './plant-tree.ts'
import { styleChecks } from './style.mjs'
import { repository, runTool } from './tools.ts'
import { readTree } from './tree.mjs'

type Files = Record<string, string | object>

const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
}

const sound: Files = {
  'tsconfig.base.json': { compilerOptions: strict },
  'tsconfig.json': { extends: './tsconfig.base.json', include: ['packages/*/src'] },
  'packages/x/package.json': {
    name: '@dataagent/x',
    exports: { '.': { 'dataagent-source': './src/index.ts' } },
  },
  'packages/x/src/index.ts': "export { type B, run } from './run.ts'\n",
  'packages/x/src/run.ts': '/** Runs. */\nexport async function run() {}\nexport type B = 1\n',
}

async function findingsOf(files: Files) {
  await using planted = await plantTree({ ...sound, ...files })
  const findings = runChecks(styleChecks, await readTree(planted.root))
  return findings.map(({ file, line, message }) => `${file}:${line ?? 0} ${message}`)
}

const inSource = (text: string) => findingsOf({ 'packages/x/src/planted.ts': text })

test('the planted tree without a fault has no findings', async () => {
  expect(await findingsOf({})).toEqual([])
})

test('the repository itself has no findings [D10.1][D10.2][D10.3][D10.5][D10.6]', async () => {
  const findings = runChecks(styleChecks, await readTree(repository))
  expect(findings.map(({ file, line, message }) => `${file}:${line ?? 0} ${message}`)).toEqual([])
})

test('as a command it prints each fault and exits with 1', async () => {
  await using planted = await plantTree({
    ...sound,
    'packages/x/src/p.ts': 'class Point { x = 1 }\n',
  })
  const ran = await runTool('node', [join(import.meta.dirname, 'style.mjs'), planted.root], '.')
  expect(ran).toMatchObject({ code: 1, output: expect.stringContaining('p.ts:1  class') })
})

describe('strict, modern TypeScript [D10.1]', () => {
  test('a strictness flag that is switched off is caught', async () => {
    const flagged = (file: string, compilerOptions: object, fields: object = {}) =>
      findingsOf({ [file]: { compilerOptions, ...fields } })
    expect(await flagged('tsconfig.base.json', { ...strict, strict: false })).toEqual([
      'tsconfig.base.json:0 "strict" must be true',
    ])
    const extended = { extends: './tsconfig.base.json' }
    expect(await flagged('tsconfig.browser.json', { erasableSyntaxOnly: false }, extended)).toEqual(
      ['tsconfig.browser.json:0 "erasableSyntaxOnly" must be true'],
    )
  })

  test('a source file that no tsconfig reads is caught', async () => {
    expect(await findingsOf({ 'tools/lost.ts': 'export {}\n' })).toEqual([
      'tools/lost.ts:0 no tsconfig includes this file: no types checked',
    ])
  })

  test('the compiler refuses what cannot be stripped and what has no type', async () => {
    await using planted = await plantTree({
      'tsconfig.json': {
        extends: join(repository, 'tsconfig.base.json'),
        compilerOptions: { types: [], incremental: false },
      },
      'package.json': { type: 'module' },
      'enum.ts': 'export enum Colour { Red }\n',
      'implicit.ts': 'export function f(x) { return x }\n',
      'index.ts': 'export const first: string = [""][0]\n',
      'type.ts': "import { T } from './other.ts'\nexport type U = T\n",
      'other.ts': 'export type T = 1\n',
    })
    const { code, output } = await runTool('tsc', ['-p', planted.root], planted.root)
    expect(code).not.toBe(0)
    expect(output).toMatch(/enum\.ts.*TS1294/)
    expect(output).toMatch(/implicit\.ts.*TS7006/)
    expect(output).toMatch(/index\.ts.*TS2322/)
    expect(output).toMatch(/type\.ts.*TS1484/)
  })
})

test('a line over 100 columns is caught in code and in comments, not in literals [D10.2]', async () => {
  const wide = [
    `// ${'word '.repeat(25)}`,
    ` * \`${'word '.repeat(25)}\``,
    `export const sum = ${'one + '.repeat(20)}one`,
  ]
  for (const line of wide) {
    const text = line.startsWith(' *') ? `/**\n${line}\n */\n` : `${line}\n`
    expect(await inSource(text)).toEqual([expect.stringContaining('the limit is 100')])
  }
  expect(await inSource(`export const text = '${'x'.repeat(100)}'\n`)).toEqual([])
  expect(await inSource(`// https://example.com/${'x'.repeat(100)}\n`)).toEqual([])
})

describe('a doc comment on every public function [D10.3]', () => {
  test.each([
    ['function', 'export function run() {}'],
    ['async function', 'export async function run() {}'],
    ['arrow function', 'export const run = () => 1'],
    ['class', 'export class run { stop() {} }'],
    ['function exported below', 'function go() {}\nexport { go as run }'],
    ['line comment', '// Runs.\nexport function run() {}'],
    ['comment of another', '/** Of a. */\nconst a = 1\nexport function run() { return a }'],
  ])('%s', async (_form, source) => {
    const text = `${source}\nexport type B = 1\n`
    expect(await findingsOf({ 'packages/x/src/run.ts': text })).toEqual([
      expect.stringContaining('run is public (packages/x/src/index.ts) and has no doc comment'),
    ])
  })

  test('through a second re-export', async () => {
    const files = {
      'packages/x/src/index.ts': "export { run } from './room/index.ts'\n",
      'packages/x/src/room/index.ts': "export { go as run } from './go.ts'\n",
      'packages/x/src/room/go.ts': 'export function go() {}\n',
    }
    expect(await findingsOf(files)).toEqual([
      'packages/x/src/room/go.ts:1 run is public (packages/x/src/index.ts) and has no doc comment',
    ])
  })

  test('an entry point that exports everything, or is missing, is caught', async () => {
    expect(await findingsOf({ 'packages/x/src/index.ts': "export * from './run.ts'\n" })).toEqual([
      'packages/x/src/index.ts:1 list the names one by one',
    ])
    const exports = { './sql': { 'dataagent-source': './src/sql.ts' } }
    expect(await findingsOf({ 'packages/x/package.json': { exports } })).toEqual([
      'packages/x/src/sql.ts:0 package.json exports it: it is missing',
    ])
  })
})

describe('data shapes are schemas or types [D10.5]', () => {
  test.each([
    ['only fields', 'class Point { x = 1; y = 2 }'],
    ['fields and a constructor', 'class Point { x; constructor(x: number) { this.x = x } }'],
    ['class expression', 'export const Point = class { x = 1 }'],
  ])('a class with %s is caught', async (_what, text) => {
    expect(await inSource(text)).toEqual([expect.stringContaining('declare a schema or a type')])
  })

  test('inheritance from anything but an error is caught', async () => {
    expect(await inSource('class A extends EventEmitter { run() {} }\n')).toEqual([
      expect.stringContaining('extends EventEmitter'),
    ])
    expect(await inSource('class A extends AppError { code = 1 }\n')).toEqual([])
    expect(await inSource('class A { #open = true; close() { this.#open = false } }\n')).toEqual([])
  })
})

describe('async and await, not callbacks [D10.6]', () => {
  test.each([
    ['a function', 'function load(path: string, cb: () => void) { cb() }'],
    ['an arrow function', 'const load = (path: string, callback: () => void) => callback()'],
    ['a method', 'const a = { load(done = () => {}) { done() } }'],
    ['an interface', 'interface A { load(path: string, callback: () => void): void }'],
    ['node:fs', "import { readFile } from 'node:fs'\nreadFile('a', (error, text) => text)"],
    ['fs as a name', "import fs from 'fs'\nfs.readFile('a', function (error) { throw error })"],
    ['node:dns', "import * as dns from 'node:dns'\ndns.resolve('a', (error) => error)"],
    ['node:zlib', "import { gzip } from 'node:zlib'\ngzip('a', (error) => error)"],
    ['node:crypto', "import { scrypt } from 'node:crypto'\nscrypt('a', 'b', 64, () => {})"],
  ])('%s with a callback is caught', async (_what, text) => {
    expect(await inSource(text)).toEqual([expect.stringMatching(/promise/)])
  })

  test('a flag called done and a listener that Node asks for are fine', async () => {
    const text = [
      "import { watch } from 'node:fs'",
      'export async function read(done: boolean, next: number) { if (done) return next }',
      'export const socket = { lookup(host: string, options: object, callback: () => void) { callback() } }',
      "watch('a', () => {})",
    ]
    expect(await inSource(text.join('\n'))).toEqual([])
  })
})

describe('the project speaks of itself only', () => {
  test.each([
    ['a path of the machine', ['see ', 'work', 'main/a.ts']],
    ['a home directory', ['in ', 'root', '.npmrc']],
  ])('%s is caught', async (_what, parts) => {
    expect(await findingsOf({ 'docs/a.md': `${parts.join('/')}\n` })).toEqual([
      'docs/a.md:1 names a path of one machine',
    ])
  })

  test('a registry is caught in any file', async () => {
    const address = ['https://registry', 'npmjs', 'org/zod'].join('.')
    expect(await findingsOf({ 'docs/a.md': address })).toEqual([
      'docs/a.md:1 names a package registry',
    ])
    expect(await findingsOf({ '.npmrc': 'fund=false\nregistry=http://localhost' })).toEqual([
      '.npmrc:2 names a package registry',
    ])
  })

  test('work left undone is caught in code', async () => {
    expect(await inSource(`// ${['TO', 'DO'].join('')} later\n`)).toHaveLength(1)
    expect(await inSource(`// ${['FIX', 'ME'].join('')}\n`)).toHaveLength(1)
  })
})

describe('dependencies', () => {
  const reasons = '| name | reason |\n| --- | --- |\n| `zod` | schemas |\n'
  const manifest = (version: string) => ({ name: '@dataagent/y', dependencies: { zod: version } })

  test('a version range is caught', async () => {
    const files = { 'docs/dependencies.md': reasons }
    expect(await findingsOf({ ...files, 'packages/y/package.json': manifest('4.6.7') })).toEqual([])
    for (const range of ['^4.6.7', '*', '4.x', 'latest']) {
      expect(await findingsOf({ ...files, 'packages/y/package.json': manifest(range) })).toEqual([
        `packages/y/package.json:0 zod "${range}": give one exact version`,
      ])
    }
  })

  test('two versions of one dependency are caught', async () => {
    const files = {
      'docs/dependencies.md': reasons,
      'package.json': manifest('4.6.6'),
      'packages/y/package.json': manifest('4.6.7'),
    }
    expect(await findingsOf(files)).toEqual([
      'package.json:0 zod is declared in several versions: 4.6.6, 4.6.7',
    ])
  })

  test('a dependency without a reason and a reason without a dependency are caught', async () => {
    expect(await findingsOf({ 'packages/y/package.json': manifest('4.6.7') })).toEqual([
      'docs/dependencies.md:0 zod has no line of reason',
    ])
    expect(await findingsOf({ 'docs/dependencies.md': reasons })).toEqual([
      'docs/dependencies.md:0 zod is no longer a dependency',
    ])
  })

  test('an install script and an address in the lockfile are caught', async () => {
    const packages = {
      'node_modules/a': { hasInstallScript: true },
      'node_modules/b': { resolved: 'https://example.com/b.tgz' },
      'node_modules/c': { resolved: 'packages/c', link: true },
    }
    expect(await findingsOf({ 'package-lock.json': { packages } })).toEqual([
      'package-lock.json:0 node_modules/a runs an install script',
      'package-lock.json:0 node_modules/b is bound to an address',
    ])
  })
})

describe('Biome with our configuration', () => {
  const faults: Record<string, [rule: string, text: string]> = {
    'a wide line is not formatted [D10.2]': [
      'format',
      `export const a = [${"'word', ".repeat(14)}]\n`,
    ],
    'any [D10.4]': ['lint/suspicious/noExplicitAny', 'export type A = any\n'],
    'Array<T> instead of T[] [D10.4]': [
      'lint/style/useConsistentArrayType',
      'export type A = Array<string>\n',
    ],
    'a promise that nobody awaits [D10.6]': [
      'lint/nursery/noFloatingPromises',
      'async function later() {\n  return 1\n}\nlater()\n',
    ],
    'an enum [D10.1]': ['lint/style/noEnum', 'export enum A {\n  B,\n}\n'],
    'a default export': ['lint/style/noDefaultExport', 'export default 1\n'],
    'export star': ['lint/performance/noReExportAll', "export * from './a.ts'\n"],
    'process.env': ['lint/style/noProcessEnv', 'export const a = process.env.HOME\n'],
    'an undeclared dependency': [
      'lint/correctness/noUndeclaredDependencies',
      "export { z } from 'zod'\n",
    ],
    'a process started without guard': [
      'lint/style/noRestrictedImports',
      "export { spawn } from 'node:child_process'\n",
    ],
    'a request sent without guard': [
      'lint/style/noRestrictedGlobals',
      "export const a = await fetch('http://localhost')\n",
    ],
    'an import cycle': ['lint/suspicious/noImportCycles', "export { a } from './back.ts'\n"],
  }

  const fileOf = (title: string) => `${title.replaceAll(/\W+/g, '-').toLowerCase()}.ts`

  test('accepts a sound tree and names every planted fault', async () => {
    const config = await readFile(join(repository, 'biome.json'), 'utf8')
    const src = 'packages/hub/src'
    const cycle = fileOf('an import cycle')
    await using planted = await plantTree({
      'biome.json': config,
      '.gitignore': 'node_modules/\n',
      'packages/hub/package.json': { name: '@dataagent/hub' },
      [`${src}/back.ts`]: `export { b as a } from './${cycle}'\n`,
      ...Object.fromEntries(
        Object.entries(faults).map(([title, [, text]]) => [`${src}/${fileOf(title)}`, text]),
      ),
    })
    const lint = ['ci', '--colors=off', '--max-diagnostics=none']
    const { output } = await runTool('biome', lint, planted.root)
    for (const [title, [rule]] of Object.entries(faults)) {
      expect(output).toMatch(new RegExp(`^${src}/${fileOf(title)}\\S* ${rule}`, 'm'))
    }
  })
})
