import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createStartError } from '../config/index.ts'
import { told } from './words.ts'

/** In the data directory for as long as a backup is being put into it. */
export const unfinishedName = 'restore.unfinished'

/** Throws `config_invalid` where a restore was cut off: what is there is a part of something. */
export function assertRestored(data_dir: string): void {
  if (!existsSync(join(data_dir, unfinishedName))) return
  throw createStartError(told.cutOff(data_dir), undefined)
}
