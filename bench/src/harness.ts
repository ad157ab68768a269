export type { Benchmark, PrepareContext, Prepared, Spent, Subject } from './harness/benchmark.ts'
export { prepareWith } from './harness/prepare-with.ts'
export { repeat } from './harness/repeat.ts'
export { startWorker, type Worker } from './harness/worker.ts'
