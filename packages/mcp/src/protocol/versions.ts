/** Revisions that begin with `initialize`, the preferred one first. */
export const legacyVersions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]

/** Revisions without a handshake, the preferred one first. */
export const modernVersions: readonly string[] = ['2026-07-28']

/** What `initialize` asks for. */
export const preferredLegacy = '2025-11-25'

/** What `server/discover` asks for. */
export const preferredModern = '2026-07-28'

/** Whether `version` names a revision without a handshake, known here or not. */
export function isModern(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= preferredModern
}
