import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runProgram } from '../testing/test-program.ts'

async function examine(...args: string[]) {
  await using home = await temporaryDirectory()
  const env = { HOME: home.path }
  const { code, stdout } = await runProgram([...args, 'doctor', '--json'], { env, cwd: home.path })
  const { status, checks } = JSON.parse(stdout)
  const found = checks.map((check: { name: string; status: string }) => [check.name, check.status])
  return { code, status, checks: Object.fromEntries(found) }
}

test('on its own it looks at machine and platform, and nothing has failed', async () => {
  expect(await examine()).toMatchObject({
    ...{ code: 0, status: 'warn' },
    checks: { node: 'pass', storage: 'pass', platform: 'pass', servers: 'pass', clock: 'pass' },
  })
}, 60_000)

test('where the platform is away it says so, and the exit code too', async () => {
  expect(await examine('--server', 'http://127.0.0.1:1')).toMatchObject({
    ...{ code: 1, status: 'fail', checks: { node: 'pass', platform: 'fail' } },
  })
}, 60_000)
