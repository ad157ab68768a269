import { isAppError } from '@dataagent/schema'
import type { SqlTarget } from '@dataagent/store/sql'
import { createStartError, type Text } from '../config/index.ts'

/**
 * What to throw when the database could not be opened: `config_invalid` for a file that waiting
 * will not mend, else the error as it is.
 */
export function toOpenError(error: unknown, target: SqlTarget): unknown {
  if (target.kind !== 'sqlite' || !isAppError(error)) return error
  const text = texts[String(error.data?.fault)]?.(target.path)
  return text ? createStartError(text, error) : error
}

const texts: Record<string, (path: string) => Text> = {
  damaged: (path) => ({
    en: `${path} is damaged, or is no SQLite database. Put back a copy of it, or move it away to begin with an empty one.`,
    zh: `${path} 已损坏，或不是 SQLite 数据库。请用备份恢复，或将其移走以便重新开始。`,
  }),
  unwritable: (path) => ({
    en: `The database ${path} cannot be opened or written. Let this user write the file and its directory, or name another place by --data-dir or DATABASE_URL.`,
    zh: `无法打开或写入数据库 ${path}。请让当前用户可以写入该文件及其目录，或用 --data-dir 或 DATABASE_URL 另选位置。`,
  }),
}
