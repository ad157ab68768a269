import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'

const hostFile = fileURLToPath(new URL('./test-waiting-host.ts', import.meta.url))

test.concurrent.for([
  'call',
  'list',
  'question',
  'notify',
  'subscribe',
  'connect',
  'start',
  'open',
])(
  'a program that only waits for %s lives until the time is over, and then ends',
  { timeout: 60_000 },
  async (what, { expect, onTestFinished }) => {
    const args = ['--conditions=dataagent-source', hostFile, what]
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void host.kill('SIGKILL'))
    const [said, [code]] = await Promise.all([text(host.stdout), once(host, 'exit')])
    expect([said, code]).toEqual(['timeout\n', 0])
  },
)
