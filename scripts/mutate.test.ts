import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository, runTool } from './checks/test-tools.ts'
import { plantTree } from './checks/test-tree.ts'

const source = `export function isAdult(age: number): boolean {
  if (Number.isNaN(age)) throw new Error('no age')
  return age >= 18
}

export function greet(name: string | null): string {
  return name ?? 'stranger'
}
`

const tests = `import { expect, test } from 'vitest'
import { isAdult } from './age.ts'

test('from eighteen on', () => {
  expect([17, 19].map(isAdult)).toEqual([false, true])
  expect(() => isAdult(Number.NaN)).toThrow()
})
`

test('a change that no test notices is told with its place; sources stay as they are', async () => {
  await using tree = await plantTree({
    'vitest.config.ts': "export default { test: { include: ['src/**/*.test.ts'] } }\n",
    'src/age.ts': source,
    'src/age.test.ts': tests,
  })
  await symlink(join(repository, 'node_modules'), join(tree.root, 'node_modules'))
  const script = join(import.meta.dirname, 'mutate.mjs')
  const { code, output } = await runTool('node', [script, 'src', '--root', tree.root], tree.root)
  expect(output.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['src/age.ts:3', 'age >= 18: >= → >'],
    ['src/age.ts:7', "name ?? 'stranger' → name", '(no test comes here)'],
    [''],
    ['subject', 'mutants', 'tried', 'killed', 'survived', 'accepted', 'score'],
    ['src', '4', '4', '2', '2', '0', '50.0 %'],
    [''],
  ])
  expect(code).toBe(1)
  expect(await readFile(join(tree.root, 'src/age.ts'), 'utf8')).toBe(source)
})
