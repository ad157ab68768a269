import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const start = fileURLToPath(new URL('./start.mjs', import.meta.url))

test('npm start prints its address, answers there, and stops in good order', async () => {
  await using directory = await temporaryDirectory()
  const args = ['start', '--silent', '--', '--port', '0', '--data-dir', directory.path]
  const npm = spawn('npm', args, { cwd: root, env: ownEnvironment(), detached: true })
  const closed = once(npm, 'close')
  try {
    let output = ''
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (text) => {
        output += text
      })
    }
    const [url] = await waitFor(() => /http:\/\/127\.0\.0\.1:\d+/.exec(output), {
      timeoutMs: 25_000,
    })
    const health = async () => (await fetch(`${url}/api/v1/health`)).text()
    await waitFor(async () => (await health()).includes('"status":"ok"'))
    npm.kill('SIGTERM')
    await closed
    expect(output).toContain('stopped')
    await expect(health()).rejects.toThrow()
  } finally {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-npm.pid!, 'SIGKILL')
  }
})

test('the exit code of the platform is that of npm start', async () => {
  const child = spawn(process.execPath, [start, '--port', 'x'], { env: ownEnvironment() })
  expect(await once(child, 'exit')).toEqual([2, null])
})

/** Without what the test runner and npm set for their own children. */
function ownEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|DATAAGENT_|VITEST)/.test(name),
  )
  return Object.fromEntries(kept)
}
