import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'

const stories = [
  './01-stdio.ts',
  './02-http.ts',
  './03-many-servers.ts',
  './04-kill-and-return.ts',
  './05-in-process.ts',
  './06-questions.ts',
  './07-with-a-model.ts',
  './08-oauth.ts',
]
const here = import.meta.dirname
const patience = { timeout: 100_000, repeats: longCount(0, 4) }

// A story asserts what it tells, and would fail or hang.
test.each(stories)('%s ends well', patience, async (story) => {
  const args = ['--conditions=dataagent-source', story]
  const { stderr } = await promisify(execFile)(process.execPath, args, {
    cwd: here,
    timeout: 90_000,
  })
  expect(stderr).toBe('')
})

test('every story is told', async () => {
  const files = (await readdir(here)).filter((file) => /^\d\d-.*\.ts$/.test(file))
  expect(files.map((file) => `./${file}`)).toEqual(stories)
})
