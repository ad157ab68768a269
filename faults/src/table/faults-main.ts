// npm run faults: runs the tests of faults and threats with their long counts, and writes the page.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runWithOwnProcesses } from '../../../scripts/own-processes.mjs'
import { runReported } from '../../../scripts/reported-run.mjs'
import { readResults } from '../figures/results.ts'
import { type TestRun, testsById } from './carried.ts'
import { faults } from './faults.ts'
import { mergeRuns } from './merge-runs.ts'
import { threats } from './threats.ts'
import type { Share } from './to-figures.ts'
import { toPage } from './to-page.ts'

const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache/dataagent')

const usage = `npm run faults [-- ID or words …] [--short] [--from REPORT …] [--page FILE]

Runs every test that carries an id of a fault (F1 …) or a threat (T1 …), with the counts of the long
run, and writes docs/faults.md. With ids or words only those tests, and no page. --short: the counts
of npm test.

--from, as often as wanted: runs nothing, and writes the page from the JSON reports of runs that
were made before, of npm test, test:long and faults. What a later one has takes the place of what
those before it have of the same file; the page says which counts a file had.

--page: where the page is written. docs/faults.md is written without it only where some of its tests
had the counts of the long run.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    from: { type: 'string', multiple: true, default: [] },
    page: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
process.exitCode = await main()

async function main(): Promise<number> {
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (values.from.length > 0) {
    if (positionals.length === 0) return await writePage(values.from)
    console.error('With --from nothing is run: give no ids or words.')
    return 1
  }
  const counts = values.short ? 'short' : 'long'
  const report = join(cache, reportName())
  const run = () => runTests(report)
  const { code, reported } = await runReported({ report, counts, root, run })
  if (!reported) {
    console.error(
      'The run ended without a report: nothing is known of its tests, no page is written.',
    )
    return code || 1
  }
  console.log(`Its report is ${report}`)
  // Who was stopped has not run all of them.
  if (positionals.length > 0 || code > 128) return code
  return (await writePage([report])) || code
}

/** What a long run of all has found is not lost to a short one, or to one of a few. */
function reportName(): string {
  if (positionals.length > 0) return 'faults-named-run.json'
  return values.short ? 'faults-short-run.json' : 'faults-run.json'
}

async function writePage(reports: readonly string[]): Promise<number> {
  const runs: TestRun[] = []
  for (const report of reports) {
    const text = await readFile(report, 'utf8').catch(() => undefined)
    if (text === undefined) {
      console.error(`There is no report ${report}`)
      return 1
    }
    runs.push(JSON.parse(text))
  }
  const tests = mergeRuns(runs, root)
  const isLong = tests.some(({ origin }) => origin.counts === 'long')
  if (!isLong && values.page === undefined) {
    console.log(
      'No page is written of short counts alone: --page FILE says where to, if it shall be.',
    )
    return 0
  }
  const page = values.page ?? join(root, 'docs/faults.md')
  const sections = [
    { title: 'What goes wrong by itself', rows: faults },
    { title: 'What somebody may try', rows: threats },
  ]
  const figures = (await readResults('faults.json')) as Record<string, Share>
  await writeFile(page, toPage(sections, testsById(tests), figures))
  console.log(`Wrote ${page}`)
  return 0
}

function runTests(report: string): Promise<number> {
  const carries = (id: string) => `\\[[^\\]]*\\b${id}\\b`
  const words = positionals.map((word) => (/^[FT]\d+$/.test(word) ? carries(word) : word))
  const pattern = words.length > 0 ? words.join('|') : carries('[FT]\\d+')
  const vitest = join(root, 'scripts/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return runWithOwnProcesses(
    process.execPath,
    [vitest, 'run', `--root=${root}`, '-t', pattern, ...reporters],
    { ...process.env, DATAAGENT_TEST_LONG: values.short ? '' : '1' },
  )
}
