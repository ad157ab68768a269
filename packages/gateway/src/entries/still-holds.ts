import type { Admit } from './contract.ts'

/**
 * Whether what opened a stream, or was shown on it since, would still open it. Never rejects: a
 * store that is away changes nothing.
 */
export type StillHolds = (...shown: Parameters<Admit>) => Promise<boolean>

export function createStillHolds(admit: Admit): StillHolds {
  return async (credential, endpoint) => {
    try {
      return (await admit(credential, endpoint)).status === 'ok'
    } catch {
      return true
    }
  }
}
