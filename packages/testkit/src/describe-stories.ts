import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { longCount } from './long-count.ts'

/**
 * Runs the programs of a folder of examples, each in a process of its own. A story asserts what it
 * tells, and would fail or hang.
 */
export function describeStories(folder: string, stories: readonly string[]): void {
  const patience = { timeout: 100_000, repeats: longCount(0, 4) }

  test.each(stories)('%s ends well', patience, async (story) => {
    const args = ['--conditions=dataagent-source', story]
    const options = { cwd: folder, timeout: 90_000 }
    const { stderr } = await promisify(execFile)(process.execPath, args, options)
    expect(stderr).toBe('')
  })

  test('every story is told', async () => {
    const files = (await readdir(folder)).filter((file) => /^\d\d-.*\.ts$/.test(file)).sort()
    expect(files.map((file) => `./${file}`)).toEqual(stories)
  })
}
