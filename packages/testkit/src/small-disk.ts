import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { callingTestFile, reportSkip } from './services/skip.ts'
import { temporaryDirectory } from './temporary-directory.ts'

export interface SmallDisk extends AsyncDisposable {
  path: string
  /** Makes it larger while it is in use. */
  grow(bytes: number): void
}

export interface SmallDiskOptions {
  bytes: number
  /** Where; else in a temporary directory. */
  at?: string
}

/**
 * An empty file system of the given size. Where none may be mounted it gives undefined and says so
 * loudly; with CI set it throws.
 */
export async function mountSmallDisk({
  bytes,
  at,
}: SmallDiskOptions): Promise<SmallDisk | undefined> {
  const testFile = callingTestFile()
  await using cleanup = new AsyncDisposableStack()
  const path = at ?? join(cleanup.use(await temporaryDirectory()).path, 'disk')
  await mkdir(path)
  try {
    mount('-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', path)
  } catch {
    reportSkip(testFile, 'mounting a tmpfs needs root on Linux')
    return undefined
  }
  cleanup.defer(() => {
    execFileSync('umount', ['--lazy', path], { stdio: 'pipe' })
  })
  const kept = cleanup.move()
  return {
    path,
    grow: (size) => mount('-o', `remount,size=${size}`, path),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}
