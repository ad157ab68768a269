import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/**
 * What the set-up remembers, kept beside what it speaks of: gone with node_modules.
 * @param {string} root
 */
export const cacheOf = (root) => join(root, 'node_modules/.cache/dataagent')
