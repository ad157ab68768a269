import { join } from 'node:path'
import {
  createHasher,
  createKeyCheck,
  type Hasher,
  openKeyring,
  parseMasterKeys,
  readKeyFile,
  verifyKeyCheck,
} from '@dataagent/store/secrets'
import type { SqlStore } from '@dataagent/store/sql'
import type { Config } from '../config/index.ts'

const keyCheckName = 'key_check'

/** Throws `config_invalid` for a master key that cannot be right, without asking any store. */
export async function checkMasterKey({ master_key, master_key_file }: Config): Promise<void> {
  if (master_key_file) await readKeyFile(master_key_file)
  if (master_key) parseMasterKeys(master_key.reveal())
}

/**
 * The hasher of this installation. Throws `config_invalid` where the master key is not the one that
 * the database was first used with.
 */
export async function openHasher(config: Config, { settings }: SqlStore): Promise<Hasher> {
  const keyring = await openKeyring({
    file: config.master_key_file,
    value: config.master_key?.reveal(),
    makeAt: join(config.data_dir, 'master.key'),
    keyCheck: await settings.get(keyCheckName),
  })
  // Another node may have come first with another key.
  verifyKeyCheck(keyring, await settings.setIfAbsent(keyCheckName, createKeyCheck(keyring)))
  return createHasher({ keyring })
}
