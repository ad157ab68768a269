import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const patience = { timeout: 200_000, repeats: longCount(0, 4) }

test.each([
  ['embedded', 'One process, embedded stores'],
  ['workers', 'Two worker processes, embedded stores'],
  ['databases', 'on MariaDB and Redis'],
])('the whole path ends well: %s', patience, async (stage, title) => {
  const demo = join(import.meta.dirname, 'demo.ts')
  const run = promisify(execFile)
  const args = ['--conditions=dataagent-source', demo, stage]
  const { stdout, stderr } = await run(process.execPath, args, { timeout: 180_000 })
  expect(stderr).toBe('')
  expect(stdout).toContain(title)
  expect(stdout).toMatch(/\n\d\d steps in [\d.]+ s\n$/)
})
