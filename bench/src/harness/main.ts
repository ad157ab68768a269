import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { saveResults } from './record.ts'
import { type BenchReport, toOverview } from './result.ts'
import { runApart } from './run-apart.ts'
import { runBenchmark } from './run-benchmark.ts'

const benchmarkDir = join(import.meta.dirname, '..')
const docs = join(benchmarkDir, '../../docs/bench')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    save: { type: 'boolean' },
    to: { type: 'string', default: docs },
  },
})
const known = await listNames()
const unknown = positionals.filter((name) => !known.includes(name))
const interrupt = new AbortController()
const { signal } = interrupt

if (values.list) await printList()
else if (unknown.length > 0) refuse(unknown)
else await run(positionals)

async function listNames(): Promise<string[]> {
  const files = await readdir(benchmarkDir)
  return files
    .flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
    .filter((file) => file !== 'harness')
    .sort()
}

async function printList(): Promise<void> {
  console.log('npm run bench -- [NAME …] [--quick] [--save] [--to DIR]\n')
  const width = Math.max(...known.map((each) => each.length))
  for (const each of known) {
    console.log(`  ${each.padEnd(width)}  ${(await load(each)).description}`)
  }
}

async function load(each: string): Promise<Benchmark> {
  const { benchmark } = await import(join(benchmarkDir, `${each}.ts`))
  return benchmark
}

async function run(names: readonly string[]): Promise<void> {
  // The second Ctrl-C ends the process at once: the listener is gone by then.
  process.once('SIGINT', () => interrupt.abort())
  process.once('SIGTERM', () => interrupt.abort())
  try {
    const [only] = names
    const reports = names.length === 1 && only ? [await runHere(only)] : await runAll(names)
    if (values.save ?? (names.length === 0 && !values.quick)) await save(reports)
    if (names.length === 1) console.log(JSON.stringify(reports[0]))
  } catch (error) {
    if (!signal.aborted) throw error
    console.error('interrupted')
    process.exitCode = 130
  }
}

async function runHere(bench: string): Promise<BenchReport> {
  const benchmark = await load(bench)
  console.log(`${bench}: ${benchmark.description}`)
  const options = { quick: values.quick, signal, print: console.log }
  return { bench, results: await runBenchmark(benchmark, options) }
}

/** Each in a process of its own: what one leaves in memory is not measured with the next. */
async function runAll(names: readonly string[]): Promise<BenchReport[]> {
  const reports: BenchReport[] = []
  for (const name of names.length === 0 ? known : names) {
    signal.throwIfAborted()
    const report = await runApart(name, { quick: values.quick, signal, print: console.log })
    if (report) reports.push(report)
    else process.exitCode = 1
    console.log('')
  }
  console.log(toOverview(reports))
  return reports
}

async function save(reports: readonly BenchReport[]): Promise<void> {
  const described = await Promise.all(
    reports.map(async (report) => ({
      ...report,
      description: (await load(report.bench)).description,
    })),
  )
  console.log(`\nKept in ${await saveResults(values.to, described)}`)
}

function refuse(names: readonly string[]): void {
  console.error(`There is no benchmark "${names.join('", "')}": choose ${known.join(', ')}`)
  process.exitCode = 2
}
