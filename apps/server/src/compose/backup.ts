import { join } from 'node:path'
import { systemClock } from '@dataagent/guard'
import { type Backup, makeBackup, type Restored, restoreBackup } from '../backup/index.ts'
import { type Config, databaseUrl, type Operands } from '../config/index.ts'

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

export async function restore({ config, operands }: BackupRun): Promise<Restored> {
  return restoreBackup({ config, from: operands.folder, target: await findDatabase(config) })
}

async function findDatabase(config: Config) {
  const { parseDatabaseUrl } = await import('@dataagent/store/sql')
  return parseDatabaseUrl(databaseUrl(config))
}

/** As the server would: from the file of the settings, the settings, or the data directory. */
async function readMasterKeys({ master_key_file, master_key, data_dir }: Config) {
  const { parseMasterKeys, readKeyFile } = await import('@dataagent/store/secrets')
  if (!master_key_file && master_key) return parseMasterKeys(master_key.reveal())
  return readKeyFile(master_key_file ?? join(data_dir, 'master.key'))
}
