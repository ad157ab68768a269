import type { Clock } from '@dataagent/guard'
import type { Principal } from '@dataagent/hub'
import type { DataStore } from '../ports.ts'
import type { Queries } from '../queries/index.ts'
import type { Sources } from '../sources/index.ts'

/** What the data tools stand on. */
export interface DataToolMeans {
  sources: Sources
  queries: Queries
  store: Pick<DataStore, 'definitions' | 'questions'>
  files: OutputFiles
  clock?: Clock | undefined
}

/** Where exports go: a folder of whoever asks. */
export interface OutputFiles {
  /**
   * Writes a new file whole, and gives its size. Throws `quota_exceeded` where it does not fit, and
   * `conflict` where there is a file already: none is written over.
   */
  write(
    owner: Principal,
    path: string,
    content: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ bytes: number }>
}
