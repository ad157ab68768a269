import { createRequire } from 'node:module'
import type undici from 'undici'

const require = createRequire(import.meta.url)

/**
 * The HTTP client, loaded when the first egress is made: a host that starts processes alone does
 * not pay for it (some 85 ms and 28 MB).
 */
export function loadHttpClient(): typeof undici {
  return require('undici')
}
