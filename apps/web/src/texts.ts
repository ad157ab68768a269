export const langs = ['en', 'zh'] as const
export type Lang = (typeof langs)[number]

const en = {
  tagline: 'Give AI agents tools, and stay in charge of them.',
  status: 'Status',
  server: 'Server',
  ok: 'Running',
  degraded: 'Running, not ready',
  offline: 'Not reachable',
  asking: 'Asking…',
  ready: 'Ready',
  connecting: 'Connecting',
  away: 'Away',
  since: 'since',
  uptime: 'Up for',
  version: 'Version',
  database: 'Database',
  'key-value store': 'Shared state',
  platform: 'Platform',
  signIn: 'Sign in',
  signOut: 'Sign out',
  signedIn: 'Signed in',
  apiKey: 'API key',
  keyHint: 'The first start shows a key and a sign-in link in its terminal.',
  lostKey: 'Lost it? Run this where the server is installed:',
  refused: 'This key is not valid.',
  unreachable: 'The server cannot check the key now. Try again in a moment.',
  limited: 'Too many wrong keys from your address. Try again in a minute.',
  provider_refused: 'You may not sign in with this account.',
  provider_full: 'There is no room for one more user. Ask your administrator.',
  provider_failed: 'The identity provider does not answer. Try again in a moment.',
  signInWith: 'Sign in with',
  checking: 'Checking…',
  user: 'User',
  tenant: 'Tenant',
  role: 'Role',
  admin: 'Administrator',
  platform_admin: 'Platform administrator',
  auditor: 'Auditor',
  theme: 'Dark or light',
  language: '中文',
}

export type TextName = keyof typeof en
type Texts = Record<TextName, string>

const zh: Texts = {
  tagline: '让 AI 智能体用上工具，并始终由你掌控。',
  status: '运行状态',
  server: '服务',
  ok: '运行中',
  degraded: '运行中，尚未就绪',
  offline: '无法连接',
  asking: '查询中…',
  ready: '就绪',
  connecting: '连接中',
  away: '不可用',
  since: '自',
  uptime: '已运行',
  version: '版本',
  database: '数据库',
  'key-value store': '共享状态',
  platform: '平台',
  signIn: '登录',
  signOut: '退出登录',
  signedIn: '已登录',
  apiKey: 'API Key',
  keyHint: '首次启动时，终端会显示 Key 和登录链接。',
  lostKey: '忘记了？在服务所在机器上执行：',
  refused: '该 Key 无效。',
  unreachable: '服务暂时无法验证 Key，请稍后再试。',
  limited: '你所在的地址尝试错误 Key 次数过多，请一分钟后再试。',
  provider_refused: '该账号不允许登录。',
  provider_full: '用户数已达上限，请联系管理员。',
  provider_failed: '身份提供方没有响应，请稍后再试。',
  signInWith: '使用以下方式登录：',
  checking: '验证中…',
  user: '用户',
  tenant: '租户',
  role: '角色',
  admin: '管理员',
  platform_admin: '平台管理员',
  auditor: '审计员',
  theme: '深色或浅色',
  language: 'English',
}

const texts: Record<Lang, Texts> = { en, zh }

/**
 * Looks a text up; a name that has none (a role or dependency of a newer server) is shown as it is.
 */
export type Translate = (name: TextName | (string & {})) => string

export function createTranslate(lang: Lang): Translate {
  return (name) => (Object.hasOwn(texts[lang], name) ? texts[lang][name as TextName] : name)
}

/** `3 d 4 h`, `12 min`, `40 s` and the like. */
export function formatDuration(seconds: number, lang: Lang): string {
  const units = { en: ['d', 'h', 'min', 's'], zh: ['天', '小时', '分钟', '秒'] }[lang]
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const first = parts.findIndex((part) => part > 0)
  const from = first < 0 ? 3 : first
  return parts
    .slice(from, from + 2)
    .map((part, i) => `${part} ${units[from + i]}`)
    .join(' ')
}
