// npm run faults: runs the tests of faults and threats with their long counts, and writes the page.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runWithOwnProcesses } from '../../../scripts/own-processes.mjs'
import { type TestRun, testsById } from './carried.ts'
import { faults } from './faults.ts'
import { threats } from './threats.ts'
import { toMade } from './to-made.ts'
import { toPage } from './to-page.ts'

const root = join(import.meta.dirname, '../../..')
const report = join(root, 'node_modules/.cache/dataagent/faults-run.json')
const page = join(root, 'docs/faults.md')

const usage = `npm run faults [-- ID or words …] [--short] [--from FILE]

Runs every test that carries an id of a fault (F1 …) or a threat (T1 …), with the counts of the long
run, and writes docs/faults.md. With ids or words only those tests, and no page. --short: the counts
of npm test. --from: writes the page from the JSON report of a run that was made before.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
process.exitCode = await main()

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage)
    return 0
  }
  const failed = values.from === undefined ? await runTests() : 0
  if (positionals.length > 0) return failed
  const run = JSON.parse(await readFile(values.from ?? report, 'utf8')) as TestRun
  const sections = [
    { title: 'What goes wrong by itself', rows: faults },
    { title: 'What somebody may try', rows: threats },
  ]
  await writeFile(page, toPage(sections, testsById(run, root), toMade(run)))
  console.log(`Wrote ${page}`)
  return failed
}

async function runTests(): Promise<number> {
  const names = positionals.map((name) =>
    /^[FT]\d+$/.test(name) ? `\\[[^\\]]*\\b${name}\\b` : name,
  )
  const pattern = names.length > 0 ? names.join('|') : '\\[[FT]\\d+'
  const counts = values.short ? 'short' : 'long'
  const vitest = join(root, 'scripts/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runWithOwnProcesses(
    process.execPath,
    [vitest, 'run', `--root=${root}`, '-t', pattern, ...reporters],
    { ...process.env, ...(counts === 'long' && { DATAAGENT_TEST_LONG: '1' }) },
  )
  const run = JSON.parse(await readFile(report, 'utf8')) as TestRun
  await writeFile(report, JSON.stringify({ ...run, counts }))
  return code
}
