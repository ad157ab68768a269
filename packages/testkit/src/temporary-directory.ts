import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryDirectory extends AsyncDisposable {
  /** Absolute, with symbolic links resolved. */
  path: string
}

/**
 * Makes an empty directory that is removed with all it holds: `await using directory = await
 * temporaryDirectory()`.
 */
export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(await realpath(tmpdir()), 'dataagent-test-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  }
}
