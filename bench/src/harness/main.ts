import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Benchmark } from './benchmark.ts'
import { runBenchmark } from './run-benchmark.ts'

const benchmarkDir = join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
})
const [name] = positionals
const known = await listNames()

if (name === undefined) await printList()
else if (!known.includes(name)) fail(`There is no benchmark "${name}": choose ${known.join(', ')}`)
else await run(name)

async function listNames(): Promise<string[]> {
  const files = await readdir(benchmarkDir)
  return files
    .flatMap((file) => /^([\w-]+)\.ts$/.exec(file)?.[1] ?? [])
    .filter((file) => file !== 'harness')
    .sort()
}

async function printList(): Promise<void> {
  console.log('npm run bench -- NAME [--quick]\n')
  const width = Math.max(...known.map((each) => each.length))
  for (const each of known) {
    console.log(`  ${each.padEnd(width)}  ${(await load(each)).description}`)
  }
}

async function load(each: string): Promise<Benchmark> {
  const { benchmark } = await import(join(benchmarkDir, `${each}.ts`))
  return benchmark
}

async function run(bench: string): Promise<void> {
  const interrupt = new AbortController()
  // The second Ctrl-C ends the process at once: the listener is gone by then.
  process.once('SIGINT', () => interrupt.abort())
  process.once('SIGTERM', () => interrupt.abort())
  const { signal } = interrupt
  try {
    const benchmark = await load(bench)
    console.log(`${bench}: ${benchmark.description}`)
    const options = { quick: values.quick, signal, print: console.log }
    const results = await runBenchmark(benchmark, options)
    console.log(JSON.stringify({ bench, results }))
  } catch (error) {
    if (!signal.aborted) throw error
    console.error('interrupted')
    process.exitCode = 130
  }
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 2
}
