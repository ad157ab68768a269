export type PartState<T> =
  | { status: 'waiting' }
  /** The server answers and does not give it; only loading the page again may help. */
  | { status: 'stuck' }
  | { status: 'there'; part: T }

export interface PartLoader<T> {
  state(): PartState<T>
  begin(): void
  subscribe(listener: () => void): () => void
}

interface PartLoaderOptions<T> {
  load(): Promise<T>
  isServerThere(): Promise<boolean>
  pause(ms: number): Promise<void>
}

const pauses = { firstMs: 500, maxMs: 15_000 }
const triesMax = 3

/**
 * Loads a part when it is first wanted, and again until it is there. Nothing is asked for while
 * the server is away: many browsers keep a module that failed, and never ask for it again.
 */
export function createPartLoader<T>(options: PartLoaderOptions<T>): PartLoader<T> {
  const listeners = new Set<() => void>()
  let state: PartState<T> = { status: 'waiting' }
  let isLoading = false

  function become(next: PartState<T>): void {
    state = next
    for (const tell of listeners) tell()
  }

  async function run(): Promise<void> {
    let tries = 0
    for (let ms = pauses.firstMs; ; ms = Math.min(ms * 2, pauses.maxMs)) {
      if (await options.isServerThere()) {
        try {
          return become({ status: 'there', part: await options.load() })
        } catch {
          tries += 1
          if (tries === triesMax) become({ status: 'stuck' })
        }
      }
      await options.pause(ms)
    }
  }

  return {
    state: () => state,
    begin() {
      if (isLoading) return
      isLoading = true
      void run()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
