export type { Benchmark, PrepareContext, Prepared, Subject } from './harness/benchmark.ts'
