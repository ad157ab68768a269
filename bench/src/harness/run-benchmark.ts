import type { Benchmark } from './benchmark.ts'
import { measure } from './measure.ts'
import { type BenchResult, toResults } from './result.ts'
import { toTable } from './table.ts'

export interface RunOptions {
  quick: boolean
  signal: AbortSignal
  print(text: string): void
}

/** Measures every size, printing a table of each as soon as it is there. */
export async function runBenchmark(
  benchmark: Benchmark,
  { quick, signal, print }: RunOptions,
): Promise<BenchResult[]> {
  const sizes = benchmark.sizes ?? [0]
  const rounds = quick ? 2 : (benchmark.rounds ?? 9)
  const results: BenchResult[] = []
  for (const size of quick ? sizes.slice(0, 1) : sizes) {
    const prepared = await benchmark.prepare({ size, quick, signal })
    try {
      const measured = await measure(prepared.subjects, { rounds, turnMs: quick ? 1 : 50, signal })
      print(toTable(measured, size))
      results.push(...toResults(measured, size))
    } finally {
      await prepared[Symbol.asyncDispose]?.()
    }
  }
  return results
}
