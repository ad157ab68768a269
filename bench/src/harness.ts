export type { Benchmark, PrepareContext, Prepared, Spent, Subject } from './harness/benchmark.ts'
export { repeat } from './harness/repeat.ts'
