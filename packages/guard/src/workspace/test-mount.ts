import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

export interface TestMount extends Disposable {
  path: string
}

/**
 * Mounts an empty file system of the given size. Where that is not permitted it gives undefined and
 * says what is therefore not tested; where tests must be complete (`CI=true`) it throws.
 */
export async function mountSmallDisk(
  path: string,
  bytes: number,
  what: string,
): Promise<TestMount | undefined> {
  await mkdir(path, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', path], {
      stdio: 'pipe',
    })
  } catch (cause) {
    if (process.env.CI === 'true') throw new Error('tmpfs cannot be mounted', { cause })
    console.warn(`NOT TESTED: ${what} (mounting a tmpfs needs root on Linux)`)
    return undefined
  }
  return {
    path,
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', path], { stdio: 'pipe' }),
  }
}
