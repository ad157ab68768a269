import { legacyVersions } from '@dataagent/mcp'

/** What a request says that carries no version: the last revision before the header was made. */
export const versionWithoutHeader = '2025-03-26'

/** What `initialize` is answered: what was asked for where we speak it, else our newest. */
export function agreeOn(asked: unknown): string {
  const newest = legacyVersions[0] as string
  return typeof asked === 'string' && legacyVersions.includes(asked) ? asked : newest
}
