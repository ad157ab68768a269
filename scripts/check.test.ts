import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository, runTool } from './checks/test-tools.ts'
import { plantTree } from './checks/test-tree.ts'

const config = (name: string) => readFile(join(repository, name), 'utf8')

test('an export, a file and a dependency that nothing uses are caught', async () => {
  const exports = { '.': { 'dataagent-source': './src/index.ts', default: './dist/index.js' } }
  await using planted = await plantTree({
    'knip.json': await config('knip.json'),
    'package.json': { name: 'planted', workspaces: ['packages/*'], private: true },
    'tsconfig.json': { compilerOptions: { customConditions: ['dataagent-source'] } },
    'packages/schema/package.json': {
      name: '@dataagent/schema',
      exports,
      dependencies: { zod: '1.0.0' },
    },
    'packages/schema/src/index.ts': "export { used } from './used.ts'\n",
    'packages/schema/src/used.ts': 'export const used = 1\nexport const unusedName = 2\n',
    'packages/schema/src/orphan.ts': 'export const orphan = 1\n',
  })
  const { code, output } = await runTool(
    'knip',
    ['--no-progress', '--no-config-hints'],
    planted.root,
  )
  expect(code).toBe(1)
  expect(output).toMatch(/Unused files \(1\)\npackages\/schema\/src\/orphan\.ts/)
  expect(output).toMatch(/Unused exports \(1\)\nunusedName {2}packages\/schema\/src\/used\.ts/)
  expect(output).toMatch(/Unused dependencies \(1\)\nzod/)
})

/** `lines` lines of which no two are alike. */
const block = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `  const v${i} = load(${i}, 'key${i}') + other(${i})`)

const inFunction = (name: string, lines: number) =>
  `export function ${name}() {\n${block(lines).join('\n')}\n}\n`

test.each([
  ['caught', 'a few lines', 12, 1],
  ['let through', 'fewer', 5, 0],
])('duplicated code is %s: %s', async (_verdict, _size, lines, code) => {
  await using planted = await plantTree({
    '.jscpd.json': await config('.jscpd.json'),
    'packages/x/src/a.ts': inFunction('a', lines),
    'apps/y/src/b.ts': inFunction('b', lines),
    'bench/src/c.ts': 'export {}\n',
    'examples/z/e.ts': 'export {}\n',
    'faults/src/f.ts': 'export {}\n',
    'scripts/d.mjs': 'export {}\n',
  })
  const found = await runTool('jscpd', ['--no-colors'], planted.root)
  expect(found.code).toBe(code)
  expect(found.output).toContain(`Found ${code} clone`)
})
