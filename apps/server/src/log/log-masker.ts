import { createMasker, type Masker } from '@dataagent/guard'
import type { Config } from '../config/index.ts'

/** What one record may hold at most. */
const limits = { depth: 8, entries: 500, text: 8_192 }

/** A masker for the log that knows every secret of the configuration. */
export function createLogMasker(config: Config): Masker {
  const { api_keys, master_key, mysql_password, database_url, redis_url } = config
  const secrets = [...api_keys, master_key, mysql_password, database_url, redis_url]
  const values = secrets.flatMap((secret) => (secret ? [secret.reveal()] : []))
  return createMasker({ limits, values: [...values, ...values.flatMap(passwordOf)] })
}

/** An error may name the password of a URL without the rest of it. */
function passwordOf(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password } = new URL(text)
  return password === '' ? [] : [password, decodeURIComponent(password)]
}
