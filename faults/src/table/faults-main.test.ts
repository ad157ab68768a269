import { execFile } from 'node:child_process'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const options = ['--conditions=dataagent-source']
const main = join(import.meta.dirname, 'faults-main.ts')

/** Reports of one test each, in a place of their own. */
async function planted(reports: Record<string, { counts: string; title: string }>) {
  const { path, [Symbol.asyncDispose]: remove } = await mkdtempDisposable(join(tmpdir(), 'faults-'))
  for (const [name, { counts, title }] of Object.entries(reports)) {
    const assertionResults = [{ fullName: title, status: 'passed' }]
    const testResults = [{ name: `/place/${name}.test.ts`, assertionResults }]
    const report = { startTime: 0, counts, root: '/place', testResults }
    await writeFile(join(path, `${name}.json`), JSON.stringify(report))
  }
  return {
    make: (...args: string[]) => run(process.execPath, [...options, main, ...args], { cwd: path }),
    read: (name: string) => readFile(join(path, name), 'utf8'),
    [Symbol.asyncDispose]: remove,
  }
}

test('a page is put together from the reports of several runs', async () => {
  await using place = await planted({
    all: { counts: 'short', title: '2 kills [F17]' },
    kills: { counts: 'long', title: '1000 kills [F17]' },
  })
  await place.make('--from', 'all.json', '--from', 'kills.json', '--page', 'page.md')
  const page = await place.read('page.md')
  expect(page).toContain('| 2 | 1 | 1,002 kills | nothing |')
  expect(page).toContain('- `kills.test.ts` (long run, 1970-01-01)')
})

test('of short counts alone a page is written only where it is asked for', async () => {
  await using place = await planted({ all: { counts: 'short', title: '2 kills [F17]' } })
  const { stdout } = await place.make('--from', 'all.json')
  expect(stdout).toContain('No page is written of short counts alone')
  await place.make('--from', 'all.json', '--page', 'page.md')
  expect(await place.read('page.md')).toContain('Made 1970-01-01, with the counts of `npm test`.')
})

test('a report that is not there is told', async () => {
  await using place = await planted({})
  const made = place.make('--from', 'none.json')
  await expect(made).rejects.toMatchObject({ stderr: 'There is no report none.json\n' })
})
