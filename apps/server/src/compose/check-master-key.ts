import type { Config } from '../config/index.ts'

/** Throws `config_invalid` for a master key that cannot be right, without asking any store. */
export async function checkMasterKey({ master_key, master_key_file }: Config): Promise<void> {
  if (!master_key && !master_key_file) return
  const { parseMasterKeys, readKeyFile } = await import('@dataagent/store/secrets')
  if (master_key_file) await readKeyFile(master_key_file)
  if (master_key) parseMasterKeys(master_key.reveal())
}
