import type { Benchmark, PrepareContext, Prepared } from './benchmark.ts'

/** A `prepare` that puts what it starts on a stack: ended with the rounds, or where it fails. */
export function prepareWith(
  work: (context: PrepareContext, cleanup: AsyncDisposableStack) => Promise<Prepared>,
): Benchmark['prepare'] {
  return async (context) => {
    const cleanup = new AsyncDisposableStack()
    try {
      const prepared = await work(context, cleanup)
      return { ...prepared, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
    } catch (error) {
      await cleanup.disposeAsync()
      throw error
    }
  }
}
