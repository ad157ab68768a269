import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runChecks } from './findings.mjs'
import { findingsOf, sound, strict } from './style/test-style.ts'
import { styleChecks } from './style.mjs'
import { repository, runTool } from './test-tools.ts'
import { plantTree } from './test-tree.ts'
import { readTree } from './tree.mjs'

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

describe('Biome with our configuration', () => {
  const faults: Record<string, [rule: string, text: string]> = {
    'a wide line': ['format', `export const a = [${"'word', ".repeat(12)}'word']\n`],
    any: ['lint/suspicious/noExplicitAny', 'export type A = any\n'],
    'Array<T> instead of T[]': [
      'lint/style/useConsistentArrayType',
      'export type A = Array<string>\n',
    ],
    'a promise that nobody awaits': [
      'lint/nursery/noFloatingPromises',
      'async function later() {\n  return 1\n}\nlater()\n',
    ],
    'an enum': ['lint/style/noEnum', 'export enum A {\n  B,\n}\n'],
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

  test('names every planted fault, and lets tests do what shipped code may not [D10.1][D10.2][D10.4][D10.6]', async () => {
    const config = await readFile(join(repository, 'biome.json'), 'utf8')
    const src = 'packages/hub/src'
    const cycle = fileOf('an import cycle')
    await using planted = await plantTree({
      'biome.json': config,
      '.gitignore': 'node_modules/\n',
      'packages/hub/package.json': { name: '@dataagent/hub' },
      [`${src}/test-support.ts`]: 'export const home = process.env.HOME\n',
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
    expect(output).not.toContain('test-support.ts')
  })
})
