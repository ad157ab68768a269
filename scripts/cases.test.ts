import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository, runTool } from './checks/test-tools.ts'
import { plantTree } from './checks/test-tree.ts'
import { namedCases } from './trace/cases.mjs'
import { readLedger } from './trace/ledger.mjs'

const mcp = namedCases['packages/mcp'] ?? []
const core = namedCases['packages/core'] ?? []
const statusOfAll = (names: readonly string[], status = 'passed') =>
  Object.fromEntries(names.map((name) => [name, status]))

/** Runs the command over a planted run of `title: status`, by the folder of the tests. */
async function check(tests: Record<string, Record<string, string>>) {
  const testResults = Object.entries(tests).map(([dir, own]) => ({
    name: `${dir}/src/a.test.ts`,
    assertionResults: Object.entries(own).map(([fullName, status]) => ({ fullName, status })),
  }))
  const packages = Object.keys(tests).map((dir) => [`${dir}/package.json`, {}])
  await using tree = await plantTree({
    ...Object.fromEntries(packages),
    'node_modules/.cache/dataagent/test-run.json': { startTime: 0, testResults },
  })
  const script = join(import.meta.dirname, 'cases.mjs')
  return await runTool('node', [script, '--root', tree.root], tree.root)
}

test('the names are the 42 of the requirements [C7.1]', async () => {
  const { cases } = await readLedger(repository)
  expect([...mcp, ...core].sort()).toEqual(cases.toSorted())
  expect(new Set([...mcp, ...core]).size).toBe(42)
})

describe('the check', () => {
  test('is content when every name has a test that passed, whatever else its title says', async () => {
    const [first = '', ...rest] = mcp
    const titled = { [`a room [C1.1] > ${first}: and more`]: 'passed', ...statusOfAll(rest) }
    expect(await check({ 'packages/mcp': titled })).toEqual({ code: 0, output: '' })
  })

  test('fails when a name is missing [C7.1]', async () => {
    const [first = '', ...rest] = mcp
    expect(await check({ 'packages/mcp': statusOfAll(rest) })).toEqual({
      code: 1,
      output: `error: ${first}: no test of packages/mcp carries this name\n`,
    })
  })

  test.each(['skipped', 'pending', 'todo', 'failed'])('fails when one is %s', async (status) => {
    const [first = ''] = mcp
    const tests = { ...statusOfAll(mcp), [first]: status }
    expect(await check({ 'packages/mcp': tests })).toEqual({
      code: 1,
      output: `error: ${first}: did not pass: ${first} (${status})\n`,
    })
  })

  test('fails when one of the tests of a name is skipped though another passes', async () => {
    const [first = ''] = mcp
    const tests = { ...statusOfAll(mcp), [`${first} > on a full disk`]: 'skipped' }
    expect((await check({ 'packages/mcp': tests })).output).toContain('on a full disk (skipped)')
  })

  test('does not take a longer name, or a test of another package, for it', async () => {
    const shorter = mcp.filter((name) => mcp.some((other) => other.startsWith(`${name}_`)))
    expect(shorter).not.toEqual([])
    const tests = statusOfAll(mcp.filter((name) => !shorter.includes(name)))
    const elsewhere = { 'packages/mcp': tests, 'packages/mcp-other': statusOfAll(shorter) }
    const { output } = await check(elsewhere)
    expect(output.match(/no test of packages\/mcp carries/g)).toHaveLength(shorter.length)
  })

  test('asks for the names of a package as soon as there is that package', async () => {
    const { code, output } = await check({ 'packages/mcp': statusOfAll(mcp), 'packages/core': {} })
    expect(code).toBe(1)
    for (const name of core) expect(output).toContain(`${name}: no test of packages/core`)
    const both = { 'packages/mcp': statusOfAll(mcp), 'packages/core': statusOfAll(core) }
    expect((await check(both)).code).toBe(0)
  })

  test('says what to do when there is no run to look at', async () => {
    await using tree = await plantTree({ 'packages/mcp/package.json': {} })
    const script = join(import.meta.dirname, 'cases.mjs')
    const ran = await runTool('node', [script, '--root', tree.root], tree.root)
    expect(ran).toMatchObject({ code: 2, output: expect.stringContaining('run `npm test` first') })
  })
})
