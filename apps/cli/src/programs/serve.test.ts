import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runProgram, startProgram } from '../testing/test-program.ts'
import { programs } from './index.ts'

test('serve is the platform in the foreground: it answers, and ends when it is told', async () => {
  await using directory = await temporaryDirectory()
  const args = ['--data-dir', directory.path, 'serve', '--port', '0']
  const env = { HOME: directory.path, DATAAGENT_SERVER: 'http://127.0.0.1:1' }
  await using program = startProgram(args, { env })
  const find = () => /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(program.stderr())?.[0]
  const url = await waitFor(find, { timeoutMs: 25_000, what: 'the address' })
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 20_000 })
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(program.stdout() + program.stderr()).not.toContain('DATAAGENT_SERVER')
})

test('its exit code and its help are those of the platform', async () => {
  const [wrong, help] = await Promise.all([
    runProgram(['serve', '--port', 'x']),
    runProgram(['--lang', 'zh', 'serve', '--help']),
  ])
  expect(wrong.code).toBe(2)
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('监听端口') })
})

test('every command has its program', () => {
  expect(Object.keys(programs)).toEqual([
    ...['completions', 'doctor', 'harbor', 'init', 'mcp', 'mcp-data', 'serve', 'sessions'],
  ])
})
