import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openWorkspace } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { look, renameUnlessThere, syncDir } from './files.ts'
import type { Moving } from './make-live.ts'
import { pack } from './pack.ts'
import type { Place } from './place.ts'

/**
 * Packs the workspace of a place into its archive and removes it, unless it was used after
 * `before`. Must run under the place's lock. A failure leaves the workspace as it was; the death of
 * the process leaves it aside, where `makeLive` finds it.
 */
export async function archive(
  place: Place,
  before: number,
  moving: Moving,
): Promise<'archived' | 'in_use'> {
  const { signal, step } = moving
  await mkdir(dirname(place.archive), { recursive: true, mode: 0o700 })
  await step('move_aside')
  if (!(await renameUnlessThere(place.live, place.leaving))) return 'in_use'
  try {
    // Whoever comes to use it stamps it first: from here on nobody does so unseen.
    const stats = await look(place.leaving)
    if (stats === undefined || stats.mtimeMs > before) {
      await renameUnlessThere(place.leaving, place.live)
      return 'in_use'
    }
    await writeArchive(place, moving)
  } catch (error) {
    await renameUnlessThere(place.leaving, place.live)
    throw error
  }
  await step('drop_files')
  signal.throwIfAborted()
  // Under another name at once: files that are half removed must not be taken for the workspace.
  const gone = place.temporary('gone')
  await rename(place.leaving, gone)
  await rm(gone, { recursive: true, force: true })
  return 'archived'
}

async function writeArchive(place: Place, { signal, step }: Moving): Promise<void> {
  const file = place.temporary('part')
  try {
    await step('pack')
    await using workspace = await openWorkspace({ root: place.leaving })
    await workspace.sweep({ olderThanMs: 0, signal })
    const { complete } = await workspace.usage({ signal })
    if (!complete) throw new AppError('conflict', 'The workspace is not archived: it is unreadable')
    await pack({ workspace, folder: place.leaving, file, signal })
    await step('place_archive')
    signal.throwIfAborted()
    await rename(file, place.archive)
    await syncDir(dirname(place.archive))
  } finally {
    await rm(file, { force: true })
  }
}
