import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { AppError } from '@dataagent/schema/base'
import type { Base, Spot } from './base.ts'
import { openFile } from './open-file.ts'
import { readBytes } from './read.ts'
import { tooLarge } from './temp-file.ts'

/**
 * What must be there for a write to happen, else it is a `conflict`: nothing, or the content or
 * time that was read. The time is cheap to compare, but two changes within one tick of the file
 * system share it.
 */
export type Expectation = 'absent' | { sha256: string } | { mtimeMs: number }

const HASH_CHUNK = 1024 * 1024

/** The `sha256` by which a write recognises the content it expects. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Throws `conflict` unless what is at a spot now, `old`, is what a write expects there. */
export async function requireExpected(
  base: Base,
  spot: Spot,
  old: Stats | undefined,
  expect: Expectation | undefined,
): Promise<void> {
  if (expect === undefined) return
  if (expect === 'absent') {
    if (old !== undefined) throw conflict('exists already. Choose another name')
    return
  }
  if (old === undefined) throw conflict('was removed since it was read')
  const same =
    'sha256' in expect
      ? (await hashAt(base, spot, old.size)) === expect.sha256
      : old.mtimeMs === expect.mtimeMs
  if (!same) throw conflict('was changed since it was read. Read it again and repeat the change')
}

async function hashAt({ dev, maxWriteBytes }: Base, { dir, name }: Spot, size: number) {
  if (size > maxWriteBytes) throw tooLarge(maxWriteBytes)
  await using file = await openFile(dir, name, { flags: constants.O_RDONLY, dev })
  const hash = createHash('sha256')
  for (let at = 0; at <= size; ) {
    const bytes = await readBytes(file.handle, at, HASH_CHUNK)
    if (bytes.length === 0) break
    hash.update(bytes)
    at += bytes.length
  }
  return hash.digest('hex')
}

function conflict(why: string): AppError {
  return new AppError('conflict', `The file ${why}. Nothing was written`)
}
