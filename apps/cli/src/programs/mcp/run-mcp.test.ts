import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { greeter } from '../../testing/test-greeter.ts'
import { runProgram } from '../../testing/test-program.ts'

/** `dataagent mcp` on a platform of its own, in a person's folder that nobody else has. */
async function openHome() {
  const home = await temporaryDirectory()
  const cwd = join(home.path, 'work')
  await mkdir(cwd)
  const mcp = (...args: string[]) => runProgram(['mcp', ...args], { cwd, env: { HOME: home.path } })
  return {
    home: home.path,
    mcp,
    async list(): Promise<{ name: string; state: string }[]> {
      const { code, stdout } = await mcp('list', '--output', 'json')
      expect(code).toBe(0)
      return JSON.parse(stdout).servers
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  }
}

test('a server is added, tested, switched off and on; those of others are taken over', async () => {
  await using at = await openHome()
  const { home, mcp } = at
  const { command, args } = greeter
  expect(await mcp('add', 'greeter', '--', command, ...args)).toMatchObject({
    ...{ code: 0, stderr: '', stdout: expect.stringContaining('greeter is added') },
  })
  expect(await mcp('test', 'greeter')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('It works: 1 tool') },
  })
  expect(await mcp('disable', 'greeter')).toMatchObject({ code: 0 })
  const source = join(home, '.deepagents', 'default', 'mcp.json')
  expect(await at.list()).toMatchObject([{ name: 'greeter', state: 'off', source }])
  expect(await mcp('enable', 'greeter')).toMatchObject({ code: 0 })

  await mkdir(join(home, '.cursor'))
  const lent = { mcpServers: { lent: { command: '/nowhere/to/be/found' } } }
  await writeFile(join(home, '.cursor', 'mcp.json'), JSON.stringify(lent))
  expect(await mcp('import', '--all')).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('lent is added') },
  })
  const states = (await at.list()).map(({ name, state }) => [name, state])
  expect(Object.fromEntries(states)).toEqual({
    ...{ greeter: expect.not.stringMatching('off'), lent: expect.any(String) },
  })
  expect(await mcp('test', 'lent')).toMatchObject({ code: 1 })
  expect(await mcp('test', 'none')).toMatchObject({ code: 2 })
}, 180_000)
