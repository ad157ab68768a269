import type { FieldName, Settings } from './config.ts'
import { parseKeyEntry } from './key-entry.ts'
import type { Problem } from './problem.ts'
import type { Lang } from './text.ts'
import { databaseKind, isLoopback } from './value-checks.ts'

type Computed = 'host' | 'data_dir' | 'session_store' | 'lang'

/** All settings with nothing left open. Frozen; passed down by value. */
export type Config = Readonly<
  Omit<Settings, Computed> & { [K in Computed]: NonNullable<Settings[K]> } & {
    origins: Origins
    /** The file of settings, whether it is there or not. */
    config_file?: string
  }
>

/** Where a value came from. */
export type Origin = 'default' | 'file' | 'env' | 'flag'
export type Origins = Readonly<Record<FieldName, Origin>>

interface ResolveMeans {
  dataDir: string
  lang: Lang
  origins: Origins
  /** Where settings are read from. */
  file?: string
}

/** Fills in the defaults that depend on other settings. */
export function resolveConfig(
  settings: Settings,
  { dataDir, lang, origins, file }: ResolveMeans,
): Config {
  const isGuarded = settings.api_keys.length > 0 && !settings.auth_disabled
  return Object.freeze({
    ...settings,
    host: settings.host ?? (isGuarded ? '0.0.0.0' : '127.0.0.1'),
    data_dir: dataDir,
    session_store: settings.session_store ?? urlKind(settings) ?? 'sqlite',
    lang: settings.lang ?? lang,
    origins,
    ...(file !== undefined && { config_file: file }),
  })
}

/** Settings that are good alone and wrong or unsafe together. */
export function findConflicts(config: Config): Problem[] {
  return [
    ...exposure(config),
    ...halfTls(config),
    ...signIn(config),
    ...stores(config),
    ...unusedMysql(config),
    ...processes(config),
  ]
}

function exposure(config: Config): Problem[] {
  const problems: Problem[] = []
  if (!isLoopback(config.host) && config.auth_disabled) problems.push(openToAll(config.host))
  else if (!isLoopback(config.host) && config.api_keys.length === 0)
    problems.push(withoutKeys(config.host))
  if (config.auth_disabled && config.cors_origins.includes('*')) problems.push(openToEveryPage)
  return problems
}

function openToAll(host: string): Problem {
  return {
    name: 'auth_disabled',
    message: {
      en: `authentication is off, so host must be a loopback address, not ${host}. Unset DATAAGENT_AUTH_DISABLED and set DATAAGENT_API_KEYS, or set DATAAGENT_HOST=127.0.0.1`,
      zh: `认证已关闭，host 只能是回环地址，不能是 ${host}。请取消 DATAAGENT_AUTH_DISABLED 并设置 DATAAGENT_API_KEYS，或设置 DATAAGENT_HOST=127.0.0.1`,
    },
  }
}

function withoutKeys(host: string): Problem {
  return {
    name: 'host',
    message: {
      en: `no API key is configured, so only a loopback address is allowed, not ${host}. Set DATAAGENT_API_KEYS, or leave DATAAGENT_HOST (--host) unset`,
      zh: `未配置 API Key，只允许监听回环地址，不能是 ${host}。请设置 DATAAGENT_API_KEYS，或不要设置 DATAAGENT_HOST（--host）`,
    },
  }
}

const openToEveryPage: Problem = {
  name: 'cors_origins',
  message: {
    en: '* with DATAAGENT_AUTH_DISABLED would let every web page use this server; name the origins',
    zh: '关闭认证时使用 * 会让任意网页都能调用本服务；请列出具体的源',
  },
}

function signIn(config: Config): Problem[] {
  const entries = config.api_keys.map((entry) => parseKeyEntry(entry.reveal()))
  const problems: Problem[] = []
  if (new Set(entries.map(({ key }) => key)).size < entries.length) problems.push(keyOfTwo)
  const other = entries.find(({ tenant_id }) => tenant_id !== 'default')
  if (other && !config.multi_tenant) problems.push(otherTenant(other.tenant_id))
  if (config.oidc_issuer === undefined) return problems
  if (config.oidc_client_id === undefined) problems.push(needsAlso('oidc_client_id'))
  if (config.public_url === undefined && !isLoopback(config.host))
    problems.push(needsAlso('public_url'))
  return problems
}

const keyOfTwo: Problem = {
  name: 'api_keys',
  message: { en: 'the same key is given twice', zh: '同一个 Key 出现了两次' },
}

function otherTenant(tenant_id: string): Problem {
  return {
    name: 'api_keys',
    message: {
      en: `a key is of the tenant ${tenant_id}, but there is only the tenant default; set DATAAGENT_MULTI_TENANT=true, or leave tenant= out`,
      zh: `有 Key 属于租户 ${tenant_id}，但当前只有租户 default；请设置 DATAAGENT_MULTI_TENANT=true，或省略 tenant=`,
    },
  }
}

function needsAlso(name: FieldName): Problem {
  const message = { en: `needs ${name} to be set as well`, zh: `还需要设置 ${name}` }
  return { name: 'oidc_issuer', message }
}

function halfTls({ tls_cert, tls_key }: Config): Problem[] {
  if ((tls_cert === undefined) === (tls_key === undefined)) return []
  const message = {
    en: 'is one half: set both tls_cert and tls_key, or neither',
    zh: '只设置了一半：tls_cert 与 tls_key 必须同时设置',
  }
  return [{ name: tls_cert === undefined ? 'tls_key' : 'tls_cert', message }]
}

function stores(config: Config): Problem[] {
  const kind = urlKind(config)
  const store = config.session_store
  const problems: Problem[] = []
  if (store === 'redis' && !config.redis_url) problems.push(needs(store, 'REDIS_URL'))
  else if (kind !== undefined && kind !== store && store !== 'redis')
    problems.push(otherDatabase(store, kind))
  if (store === 'postgres' && kind === undefined) problems.push(needs(store, 'DATABASE_URL'))
  if (config.master_key && config.master_key_file) problems.push(twoMasterKeys)
  return problems
}

function otherDatabase(store: string, kind: string): Problem {
  return {
    name: 'session_store',
    message: {
      en: `is ${store}, but DATABASE_URL names a ${kind} database; set one of them`,
      zh: `为 ${store}，但 DATABASE_URL 指向 ${kind} 数据库；请只设置其一`,
    },
  }
}

/** Whoever names a MySQL server must not find the data elsewhere. */
function unusedMysql(config: Config): Problem[] {
  const names = Object.keys(config.origins) as FieldName[]
  const name = names.find((one) => one.startsWith('mysql_') && config.origins[one] !== 'default')
  if (name === undefined || (config.session_store === 'mysql' && !config.database_url)) return []
  const message = config.database_url
    ? {
        en: 'is set together with DATABASE_URL, which names the database; set one of them',
        zh: '与 DATABASE_URL 同时设置；请只设置其一',
      }
    : {
        en: `is set, but session_store is ${config.session_store}; set DATAAGENT_SESSION_STORE=mysql to use it`,
        zh: `已设置，但 session_store 为 ${config.session_store}；如需使用请设置 DATAAGENT_SESSION_STORE=mysql`,
      }
  return [{ name, message }]
}

function needs(store: string, variable: string): Problem {
  return {
    name: 'session_store',
    message: { en: `${store} needs ${variable}`, zh: `${store} 需要设置 ${variable}` },
  }
}

const twoMasterKeys: Problem = {
  name: 'master_key',
  message: {
    en: 'is set together with master_key_file; set one of them',
    zh: '与 master_key_file 同时设置；请只设置其一',
  },
}

function processes(config: Config): Problem[] {
  const isInMemory = config.session_store === 'memory' || urlKind(config) === 'memory'
  if (config.workers === 1 || !isInMemory) return []
  const message = {
    en: `${config.workers} processes cannot share what is kept in memory; use session_store sqlite or workers 1`,
    zh: `${config.workers} 个进程无法共享内存中的数据；请使用 session_store sqlite 或 workers 1`,
  }
  return [{ name: 'workers', message }]
}

function urlKind({ database_url }: Pick<Settings, 'database_url'>) {
  return database_url && databaseKind(database_url.reveal())
}
