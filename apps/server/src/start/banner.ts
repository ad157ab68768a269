import type { Resealed } from '../compose/index.ts'
import type { Config, Lang } from '../config/index.ts'
import type { AdminKey, NewAdminKey } from '../identity/index.ts'
import { startCommand, terminalCommand } from '../places.ts'

export interface BannerOptions {
  config: Config
  /** Where the server listens. */
  url: string
  adminKey: AdminKey
}

/**
 * What a person reads once the server runs: where it is, how to get in, where data lives, how to
 * stop.
 */
export function formatBanner({ config, url, adminKey }: BannerOptions): string {
  const words = texts[config.lang]
  const address = config.public_url ?? url
  const rows: [string, string][] = [
    [words.address, address],
    [words.data, config.data_dir],
    [words.stop, 'Ctrl-C'],
  ]
  const width = Math.max(...rows.map(([name]) => columns(name)))
  const lines = rows.map(([name, value]) => `  ${padTo(name, width)}  ${value}`)
  return ['', `  ${words.title}`, '', ...lines, '', ...signIn({ config, url, adminKey }), ''].join(
    '\n',
  )
}

/** What `--new-admin-key` prints. */
export function formatNewKey(config: Config, { key, isReinstated }: NewAdminKey): string {
  const words = texts[config.lang]
  const url = config.public_url ?? `http://127.0.0.1:${config.port}`
  const told = isReinstated ? [`  ${words.reinstated}`] : []
  return ['', `  ${words.newKey}`, ...told, '', ...keyLines(words, url, key), ''].join('\n')
}

/** What `--fill-key-hashes` prints. */
export function formatFilled(lang: Lang, count: number): string {
  return `\n  ${texts[lang].filled}  ${count}\n`
}

/** What `--reseal` prints. */
export function formatResealed(lang: Lang, report: Resealed): string {
  const words = texts[lang]
  const { rewrapped, current, unreadable, staleKeys } = report
  const places = unreadable.map(({ table, key }) => `    ${table} ${Object.values(key).join(' ')}`)
  const lines = [
    `  ${words.resealed}  ${rewrapped}`,
    `  ${words.sealedAlready}  ${current}`,
    ...(places.length > 0 ? [`  ${words.unreadable}  ${places.length}`, ...places] : []),
    `  ${words.staleKeys}  ${staleKeys}`,
    `  ${staleKeys > 0 ? words.keepOldKey : words.dropOldKey}`,
  ]
  return ['', ...lines, ''].join('\n')
}

/** What is printed while a store is not there yet. */
export function formatWaiting(lang: Lang, url: string, names: string[]): string {
  const words = texts[lang]
  return `\n  ${words.title}\n\n  ${words.address}  ${url}\n  ${words.waiting}  ${names.join(', ')}\n`
}

function signIn({ config, url, adminKey }: BannerOptions): string[] {
  const words = texts[config.lang]
  const address = config.public_url ?? url
  if (config.auth_disabled) return [`  ${words.open}`]
  if (adminKey.status === 'configured') return [`  ${words.configured}`]
  if (adminKey.status === 'exists')
    return [`  ${words.exists}`, `  ${words.lost}  ${startCommand} --new-admin-key`]
  return [`  ${words.made}`, '', ...keyLines(words, address, adminKey.key)]
}

/** The part of a link after # stays in the browser: neither our log nor a proxy's sees the key. */
function keyLines(words: Words, address: string, key: string): string[] {
  const own = address.replace(/\/$/, '')
  return [
    `  ${words.key}`,
    `    ${key}`,
    `  ${words.link}`,
    `    ${own}/#key=${encodeURIComponent(key)}`,
    `  ${words.terminal}`,
    `    ${terminalCommand} --server ${own}`,
  ]
}

const en = {
  title: 'DataAgent is running',
  address: 'Open',
  data: 'Data',
  stop: 'Stop',
  waiting: 'Waiting for',
  made: 'An administrator key was made. It is shown only this once: keep it safe.',
  newKey: 'A new administrator key was made. It is shown only this once: keep it safe.',
  reinstated: 'The user admin was disabled or had lost its role; it manages the platform again.',
  filled: 'Gateway keys whose hash was filled in:',
  resealed: 'Secrets sealed anew under the first master key:',
  sealedAlready: 'Secrets that were under it already:',
  unreadable: 'Secrets that no configured master key opens, to be entered again:',
  staleKeys: 'API keys and group keys that still need an older master key:',
  keepOldKey:
    'These move when they are used. Those that are not end with the older key: keep it configured, or replace them.',
  dropOldKey: 'The older master key can go once every server runs with the new one in front.',
  key: 'API key',
  link: 'Sign in with this link',
  terminal: 'Or use it in a terminal, with that key in DATAAGENT_API_KEY',
  exists: 'Sign in with your API key.',
  lost: 'Lost it? Make a new one:',
  configured: 'Sign in with a key of DATAAGENT_API_KEYS.',
  open: 'Authentication is off: whoever uses this machine is administrator.',
}

type Words = Record<keyof typeof en, string>

const zh: Words = {
  title: 'DataAgent 已启动',
  address: '打开',
  data: '数据',
  stop: '停止',
  waiting: '等待',
  made: '已生成管理员 Key。仅显示这一次，请妥善保存。',
  newKey: '已生成新的管理员 Key。仅显示这一次，请妥善保存。',
  reinstated: '用户 admin 曾被停用或失去角色，现已恢复为平台管理员。',
  filled: '已补全哈希的网关 Key 数量：',
  resealed: '已用第一个主密钥重新加密的机密数量：',
  sealedAlready: '此前已由它加密的机密数量：',
  unreadable: '任何已配置的主密钥都无法解密、需要重新填写的机密数量：',
  staleKeys: '仍依赖旧主密钥的 API Key 与工具组 Key 数量：',
  keepOldKey:
    '它们在下次使用时自动迁移；未使用的会随旧主密钥失效：请保留旧主密钥，或更换这些 Key。',
  dropOldKey: '所有服务器都以新主密钥为首运行之后，即可移除旧主密钥。',
  key: 'API Key',
  link: '点击链接登录',
  terminal: '或在终端中使用（把上面的 Key 放入 DATAAGENT_API_KEY）',
  exists: '请使用你的 API Key 登录。',
  lost: '忘记了？重新生成：',
  configured: '请使用 DATAAGENT_API_KEYS 中的 Key 登录。',
  open: '认证已关闭：本机的任何人都是管理员。',
}

const texts: Record<Lang, Words> = { en, zh }

function padTo(text: string, width: number): string {
  return text + ' '.repeat(width - columns(text))
}

/** Columns on a terminal: a Chinese character takes two. */
function columns(text: string): number {
  return [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0)
}
