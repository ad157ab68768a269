import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** Kept beside what it speaks of: gone with node_modules. */
export const stamps = `${root}node_modules/.cache/dataagent`
