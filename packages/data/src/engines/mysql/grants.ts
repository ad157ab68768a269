import type { MysqlLink } from './connect.ts'

/** Privileges that change nothing. */
const harmless = new Set([
  ...['USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES', 'PROCESS', 'REPLICATION CLIENT'],
  ...['BINLOG MONITOR', 'SLAVE MONITOR', 'SHOW_ROUTINE', 'SHOW CREATE ROUTINE'],
])

/** Whether nothing that the user was granted writes; null where roles hide what it may do. */
export async function isReadOnly({ ask }: MysqlLink): Promise<boolean | null> {
  const rows = await ask('SHOW GRANTS')
  const verdicts = rows.map((row) => judgeGrant(String(Object.values(row)[0])))
  if (verdicts.includes(false)) return false
  return verdicts.includes(null) ? null : true
}

export function judgeGrant(grant: string): boolean | null {
  const [, privileges] = /^GRANT (.+?) ON (?!.* ON )/i.exec(grant) ?? []
  if (privileges === undefined) return /^SET DEFAULT ROLE/i.test(grant) ? true : null
  if (/WITH GRANT OPTION/i.test(grant)) return false
  const names = privileges.replaceAll(/\([^)]*\)/g, '').split(',')
  return names.every((name) => harmless.has(name.trim().toUpperCase()))
}
