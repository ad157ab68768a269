export { createFakeClock, type FakeClock } from './fake-clock.ts'
export { longCount } from './long-count.ts'
export { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts'
export { type WaitForOptions, waitFor } from './wait-for.ts'
