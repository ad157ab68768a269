import { mkdir, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MoveStep } from './contract.ts'
import { look, renameUnlessThere } from './files.ts'
import type { Place } from './place.ts'
import { unpack } from './unpack.ts'

export interface Moving {
  signal: AbortSignal
  step(step: MoveStep): Promise<void>
}

const parts = ['files', 'uploads', 'outputs']

/**
 * Puts the files of a place where they are used: back from where a packing left them, out of the
 * archive, or new. Must run under the place's lock. Whenever it ends, all files are still in one of
 * the three.
 */
export async function makeLive(place: Place, moving: Moving): Promise<void> {
  await mkdir(dirname(place.live), { recursive: true, mode: 0o700 })
  await mkdir(dirname(place.archive), { recursive: true, mode: 0o700 })
  if (!(await look(place.live)) && !(await renameUnlessThere(place.leaving, place.live))) {
    if (await look(place.archive)) await restore(place, moving)
    else await make(place)
  }
  await moving.step('drop_archive')
  await unlink(place.archive).catch(() => {})
}

async function restore(place: Place, { signal, step }: Moving): Promise<void> {
  const folder = place.temporary('in')
  try {
    await step('unpack')
    await unpack(place.archive, folder, signal)
    await step('place_files')
    signal.throwIfAborted()
    await renameUnlessThere(folder, place.live)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Made aside, so that a workspace that is seen is never an empty one. */
async function make(place: Place): Promise<void> {
  const folder = place.temporary('new')
  await mkdir(folder, { mode: 0o700 })
  for (const part of parts) await mkdir(join(folder, part), { mode: 0o700 })
  await renameUnlessThere(folder, place.live)
  await rm(folder, { recursive: true, force: true })
}
