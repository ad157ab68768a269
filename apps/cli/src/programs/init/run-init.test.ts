import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { launcher, runProgram } from '../../testing/test-program.ts'
import { userFileOf } from './user-file.ts'

const init = (HOME: string, args: string[] = [], env: Record<string, string> = {}) =>
  runProgram([...args, 'init'], { env: { HOME, ...env } })

test('where nobody can be asked it says what it would do, and does nothing', async () => {
  await using home = await temporaryDirectory()
  const { code, stdout } = await init(home.path)
  const path = join(home.path, '.deepagents/default/mcp.json')
  expect(code).toBe(0)
  expect(stdout).toContain(`would write ${path}`)
  expect(stdout).toContain('demo model')
  await expect(stat(path)).rejects.toThrow()
})

test('with --yes it writes the file of the agent, closed to others, and never again', async () => {
  await using home = await temporaryDirectory()
  const yes = () => runProgram(['--agent', 'sales', 'init', '-y'], { env: { HOME: home.path } })
  const path = userFileOf(home.path, 'sales')!
  expect((await yes()).stdout).toContain(`written: ${path}`)
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ mcpServers: {} })
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, 'mine')
  expect((await yes()).stdout).toContain(`${path} is there`)
  expect(await readFile(path, 'utf8')).toBe('mine')
})

test('model keys are told by their names alone', async () => {
  await using home = await temporaryDirectory()
  const { stdout, stderr } = await init(home.path, [], { OPENAI_API_KEY: 'canary-of-a-key' })
  expect(stdout).toContain('OPENAI_API_KEY is set')
  expect(stdout + stderr).not.toContain('canary')
  expect(stdout).not.toContain('demo model')
})

test('an agent that cannot name a folder is refused', async () => {
  await using home = await temporaryDirectory()
  expect(await init(home.path, ['--agent', '../x'])).toMatchObject({ code: 1 })
  expect(userFileOf('/h', '..')).toBeUndefined()
})

test.for([
  ['y\r', true],
  ['n\r', false],
  ['\x03', false],
] as const)('at a terminal it asks: %j', async ([typed, isWritten]) => {
  await using home = await temporaryDirectory()
  const line = `exec "${process.execPath}" "${launcher}" init`
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    env: { PATH: '/usr/bin:/bin', SHELL: '/bin/sh', TERM: 'xterm', HOME: home.path },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  let shown = ''
  child.stdout!.on('data', (chunk) => (shown += chunk))
  await waitFor(() => shown.includes('[y/N]'), { timeoutMs: 20_000 })
  child.stdin!.write(typed)
  await waitFor(() => shown.split('[y/N]').length > 2, { timeoutMs: 20_000 })
  child.stdin!.write('n\r')
  await waitFor(() => shown.includes('dataagent serve'), { timeoutMs: 20_000 })
  child.stdin!.end()
  await ended
  expect(shown).toContain(isWritten ? 'written: ' : 'not written')
  const path = join(home.path, '.deepagents/default/mcp.json')
  expect(
    await stat(path).then(
      () => true,
      () => false,
    ),
  ).toBe(isWritten)
})
