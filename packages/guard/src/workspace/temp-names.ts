import { randomBytes } from 'node:crypto'

/**
 * Names with this beginning belong to the workspace itself: no user path may use them, no listing
 * shows them.
 */
const RESERVED = '.dataagent~'

/** Hands out names for what is under way, and knows those of this process that still are. */
export interface TempNames {
  take(): string
  drop(name: string): void
  isLive(name: string): boolean
}

export function createTempNames(): TempNames {
  const live = new Set<string>()
  return {
    take() {
      const name = `${RESERVED}tmp-${randomBytes(12).toString('hex')}`
      live.add(name)
      return name
    },
    drop: (name) => void live.delete(name),
    isLive: (name) => live.has(name),
  }
}

/** Case does not matter, for file systems where it does not. */
export function isReservedName(name: string): boolean {
  return name.toLowerCase().startsWith(RESERVED)
}
