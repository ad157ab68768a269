import { join } from 'node:path'
import type { Backup, DatabasePlace } from '../backup/index.ts'
import type { RestoredHere } from '../compose/index.ts'
import type { Config, Lang } from '../config/index.ts'

/** The manifest has all of them, and whole. */
const shownPaths = 20
const shownLetters = 200

/** What `--backup` prints. */
export function formatBackup(config: Config, { manifest, to, leftOut, target }: Backup): string {
  const words = texts[config.lang]
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
  return toText([
    `${words.made}  ${to}`,
    `${words.files}  ${manifest.files.length} (${bytes} B)`,
    manifest.has_key ? words.hasKey : words.noKey,
    ...(leftOut ? [`${words.leftOut}  ${leftOut}`] : []),
    ...formatNotCopied(words, manifest.left_out),
    ...(manifest.database === 'sqlite' ? [] : [words.dump, `  ${dumpCommand(target)}`]),
    ...(config.session_store === 'redis' ? [words.redis] : []),
  ])
}

/** What `--restore` prints. */
export function formatRestored(config: Config, restored: RestoredHere): string {
  const { manifest, data_dir, target, movedTo, refused } = restored
  const words = texts[config.lang]
  const made = new Date(manifest.made_at).toISOString()
  return toText([
    `${words.restored}  ${data_dir}`,
    `${words.of}  ${made}, ${manifest.version}`,
    ...(manifest.has_key ? [] : [`${words.putKey}  ${join(data_dir, 'master.key')}`]),
    ...(manifest.database === 'sqlite' ? [] : [words.load]),
    ...(movedTo ? [words.moved(placeText(target), placeText(movedTo))] : []),
    ...(refused ? [words.refused, ...refused.split('\n').map((line) => `  ${line}`)] : []),
  ])
}

/** Users give names: what a terminal would take for more than text is escaped. */
function formatNotCopied(words: Words, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const shown = paths.slice(0, shownPaths).map((path) => `  ${toShown(path)}`)
  return [`${words.notCopied}  ${paths.length}`, ...shown]
}

function toShown(path: string): string {
  const toCode = (letter: string) => `\\u{${letter.codePointAt(0)?.toString(16)}}`
  return path.slice(0, shownLetters).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, toCode)
}

function toText(lines: string[]): string {
  return ['', ...lines.map((line) => `  ${line}`), ''].join('\n')
}

/** Without user and password. */
function placeText(place: DatabasePlace): string {
  if (place.kind === 'sqlite') return place.path
  const { host, pathname } = new URL(place.url)
  return `${place.kind}://${host}${pathname}`
}

/** Without the password. */
function dumpCommand(target: Backup['target']): string {
  if (target.kind === 'sqlite') return ''
  const { hostname, port, username, pathname } = new URL(target.url)
  const name = decodeURIComponent(pathname.slice(1))
  const user = decodeURIComponent(username)
  return target.kind === 'mysql'
    ? `mysqldump --single-transaction -h ${hostname} -P ${port || 3306} -u ${user} -p ${name} > dataagent.sql`
    : `pg_dump -Fc -h ${hostname} -p ${port || 5432} -U ${user} -f dataagent.dump ${name}`
}

const en = {
  made: 'Backup made:',
  files: 'Files:',
  hasKey:
    'WARNING: it holds the master key. Whoever has this backup can open every secret in it: keep it as safe as the key itself.',
  noKey:
    'The master key is not in it. Without that key its secrets are lost: keep a copy of the key elsewhere.',
  leftOut: 'Left out, as it holds the master key:',
  notCopied:
    'WARNING: these could not be copied whole (closed, too deep, a hard link, a name with a backslash, on another disk), and are not in it; manifest.json names all of them:',
  dump: 'The database is not in it. Dump it now, after these files:',
  redis: 'Sessions are in Redis, and not in it: keep its append-only file or a snapshot too.',
  restored: 'Restored into:',
  of: 'The backup is of:',
  putKey: 'The master key was not in it. Before the start configure it, or put it at:',
  load: 'The database was not in it: load its dump before the start.',
  moved: (here: string, there: string) =>
    `WARNING: the next start would not use ${here}, but ${there}, as the restored dataagent.config.json says. Change it before the start.`,
  refused:
    'WARNING: the settings are not valid with the restored dataagent.config.json. Change it before the start:',
}

type Words = typeof en

const zh: Words = {
  made: '备份已完成：',
  files: '文件：',
  hasKey: '警告：其中包含主密钥。持有此备份者可解密其中所有机密：请像保管主密钥一样保管它。',
  noKey: '其中不含主密钥。没有主密钥，其中的机密将无法解密：请另行保存主密钥。',
  leftOut: '因包含主密钥而未备份：',
  notCopied:
    '警告：以下内容未能完整复制（无权读取、层级过深、硬链接、名称含反斜杠或位于其他磁盘），不在备份内；manifest.json 中列有全部：',
  dump: '数据库不在其中。请在备份这些文件之后立即导出：',
  redis: '会话保存在 Redis 中，不在备份内：请同时保存其 AOF 文件或快照。',
  restored: '已恢复到：',
  of: '备份来自：',
  putKey: '备份不含主密钥。启动前请配置主密钥，或将其放到：',
  load: '备份不含数据库：启动前请先导入其导出文件。',
  moved: (here, there) =>
    `警告：按恢复的 dataagent.config.json，下次启动使用的不是 ${here}，而是 ${there}。请在启动前修改该文件。`,
  refused: '警告：加上恢复的 dataagent.config.json 之后设置无效。请在启动前修改该文件：',
}

const texts: Record<Lang, Words> = { en, zh }
