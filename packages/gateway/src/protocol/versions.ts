/** Revisions that begin with `initialize`, newest first. */
export const legacyVersions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]

/** Revisions without a handshake, newest first. */
export const modernVersions: readonly string[] = ['2026-07-28']

/** What a request says that carries no version: the last revision before the header was made. */
export const versionWithoutHeader = '2025-03-26'

/** What `initialize` is answered: what was asked for where we speak it, else our newest. */
export function agreeOn(asked: unknown): string {
  const newest = legacyVersions[0] as string
  return typeof asked === 'string' && legacyVersions.includes(asked) ? asked : newest
}
