import { randomUUID } from 'node:crypto'

/**
 * A secret in the shapes secrets come in. Each holds `marker`: to find that is to find any of them.
 */
export interface Canary {
  /** What the secret stands for, for the report. */
  label: string
  /** The part that no masking may leave whole. */
  marker: string
  /** Like a model provider's key. */
  apiKey: string
  /** The value of an Authorization header. */
  header: string
  /** With characters that every escaping changes. */
  password: string
  /** A URL with the secret as user's password and as query parameter. */
  url: string
}

/** Makes a secret that is nowhere else, to be planted and then looked for by `scanForCanaries`. */
export function createCanary(label = 'canary'): Canary {
  const marker = randomUUID()
  return {
    label,
    marker,
    apiKey: `sk-canary-${marker}`,
    header: `Bearer canary-${marker}`,
    password: `c@nary "${marker}" &/\\é`,
    url: `https://canary:${marker}@canary.example/path?token=${marker}`,
  }
}
