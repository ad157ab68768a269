import { createMasker, type Masker } from '@dataagent/guard'
import type { Secret } from '@dataagent/schema'
import { type Config, parseKeyEntry } from '../config/index.ts'

/** What one record may hold at most. */
const limits = { depth: 8, entries: 500, text: 8_192 }

/** A masker for the log that knows every secret of the configuration, and `others`. */
export function createLogMasker(config: Config, others: readonly string[] = []): Masker {
  const values = Object.values(config)
    .flat()
    .filter(isSecret)
    .map((secret) => secret.reveal())
  const keys = config.api_keys.map((entry) => parseKeyEntry(entry.reveal()).key)
  return createMasker({
    limits,
    values: [...values, ...keys, ...others, ...values.flatMap(passwordOf)],
  })
}

function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && 'reveal' in value
}

/** An error may name the password of a URL without the rest of it. */
function passwordOf(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password } = new URL(text)
  return password === '' ? [] : [password, decodeURIComponent(password)]
}
