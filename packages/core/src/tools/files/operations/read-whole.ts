import type { ReadResult } from '@dataagent/guard'
import type { OwnToolContext } from '@dataagent/hub'
import { ownerOf } from '../../owner-of.ts'
import { takeOrigins } from '../file-origins.ts'
import { toUtf8 } from '../text-of.ts'
import type { FileMeans } from './means.ts'

export interface WholeFile extends ReadResult {
  /** Undefined where the bytes are not UTF-8. */
  text: string | undefined
}

/** Reads a file of any kind whole. Throws `too_large` for more than one read may give. */
export async function readWhole(
  means: FileMeans,
  context: OwnToolContext,
  path: string,
): Promise<WholeFile> {
  return await means.workspaces.use(ownerOf(context), async (workspace) => {
    const file = await workspace.read(path)
    await takeOrigins(means, context, [path])
    means.tracker.read(context, path)
    return { ...file, text: toUtf8(file.bytes) }
  })
}
