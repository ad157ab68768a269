import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const host = join(import.meta.dirname, 'test-waiting-host.ts')

// Exit code 13 is how Node.js ends a program that waits for what can no longer happen.
test.each(['timeout', 'ready', 'failed', 'needs_sign_in'])(
  'a program stays alive until its connection comes to "%s", and no longer',
  { timeout: 60_000 },
  async (wanted) => {
    const args = ['--conditions=dataagent-source', host, wanted]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 })
    expect(stdout).toBe(`${wanted}\n`)
  },
)
