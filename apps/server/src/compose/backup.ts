import { join, resolve } from 'node:path'
import { systemClock } from '@dataagent/guard'
import {
  type Backup,
  type DatabasePlace,
  makeBackup,
  type Restored,
  restoreBackup,
} from '../backup/index.ts'
import { type Config, databaseUrl, type LoadedConfig, type Operands } from '../config/index.ts'

interface BackupRun {
  config: Config
  operands: Operands
}

/** Copies what the server keeps on this machine; it may run meanwhile. */
export async function backUp({ config, operands }: BackupRun): Promise<Backup> {
  const { folder: to, with_key: withKey } = operands
  const target = await findDatabase(config)
  const readKeys = () => readMasterKeys(config)
  return makeBackup({ config, to, target, withKey, readKeys, clock: systemClock })
}

/** What was restored, and what keeps the next start from finding it. */
export interface RestoredHere extends Restored {
  target: DatabasePlace
  /** Where the settings that were restored say that the database is. */
  movedTo?: DatabasePlace
  /** What is wrong with the settings that were restored. */
  refused?: string
}

interface RestoreRun extends BackupRun {
  /** Reads the settings anew: with the file that was in the backup. */
  reload(): LoadedConfig
}

export async function restore({ config, operands, reload }: RestoreRun): Promise<RestoredHere> {
  const target = await findDatabase(config)
  const restored = await restoreBackup({ config, from: operands.folder, target })
  const loaded = reload()
  if (loaded.status === 'invalid') return { ...restored, target, refused: loaded.message }
  if (loaded.status !== 'ok') return { ...restored, target }
  const next = await findDatabase(loaded.config)
  return { ...restored, target, ...(!isSame(next, target) && { movedTo: next }) }
}

function isSame(one: DatabasePlace, other: DatabasePlace): boolean {
  const spell = (place: DatabasePlace) =>
    place.kind === 'sqlite' ? resolve(place.path) : place.url
  return one.kind === other.kind && spell(one) === spell(other)
}

async function findDatabase(config: Config): Promise<DatabasePlace> {
  const { parseDatabaseUrl } = await import('@dataagent/store/sql')
  return parseDatabaseUrl(databaseUrl(config))
}

/** As the server would: from the file of the settings, the settings, or the data directory. */
async function readMasterKeys({ master_key_file, master_key, data_dir }: Config) {
  const { parseMasterKeys, readKeyFile } = await import('@dataagent/store/secrets')
  if (!master_key_file && master_key) return parseMasterKeys(master_key.reveal())
  return readKeyFile(master_key_file ?? join(data_dir, 'master.key'))
}
