import { z } from 'zod'
import { list, oneOf, onOff, secretList, secretText, text, wholeNumber } from './field.ts'
import { langs } from './text.ts'
import { isDatabaseUrl, isHost, isOrigin, isRedisUrl, isWebUrl } from './value-checks.ts'

const anyText = z.string().trim().min(1)

/**
 * Every setting of the server: the one place where it is named, described and given its default.
 * The environment variable is DATAAGENT_ and the name in capitals, the flag is the name with
 * dashes, the key in the file is the name as it stands.
 */
export const configSchema = z.object({
  host: text(anyText.refine(isHost), undefined, {
    expected: { en: 'an IP address or a host name', zh: 'IP 地址或主机名' },
    group: 'network',
    about: { en: 'Address to listen on', zh: '监听地址' },
    shownDefault: {
      en: '0.0.0.0; 127.0.0.1 while no API key is configured',
      zh: '0.0.0.0；未配置 API Key 时为 127.0.0.1',
    },
  }),
  port: wholeNumber(0, 65_535, 8000, {
    group: 'network',
    about: { en: 'Port to listen on; 0 takes any free one', zh: '监听端口；0 表示任意空闲端口' },
  }),
  public_url: text(anyText.refine(isWebUrl), undefined, {
    expected: { en: 'an http:// or https:// URL', zh: 'http:// 或 https:// 网址' },
    group: 'network',
    about: {
      en: 'Address under which browsers reach the server, when a proxy stands before it',
      zh: '经反向代理访问时浏览器使用的地址',
    },
    shownDefault: { en: 'where it listens', zh: '监听地址' },
  }),
  cors_origins: list(z.string().refine(isOrigin), {
    expected: {
      en: 'origins such as https://app.example.com separated by commas, or *',
      zh: '以逗号分隔的源（如 https://app.example.com），或 *',
    },
    group: 'network',
    about: {
      en: 'Other origins whose pages may call the API, separated by commas',
      zh: '允许跨域调用 API 的源，逗号分隔',
    },
  }),
  max_connections: wholeNumber(1, 1_000_000, 10_000, {
    group: 'network',
    about: { en: 'Connections open at once per process', zh: '每个进程的最大并发连接数' },
  }),
  body_limit: wholeNumber(1024, 1_073_741_824, 1_048_576, {
    group: 'network',
    about: { en: 'Largest request body in bytes', zh: '请求体上限（字节）' },
  }),
  headers_timeout: wholeNumber(1, 3600, 10, {
    group: 'network',
    about: {
      en: 'Seconds within which request headers must arrive',
      zh: '请求头必须到达的时限（秒）',
    },
  }),
  request_timeout: wholeNumber(1, 3600, 30, {
    group: 'network',
    about: {
      en: 'Seconds within which a whole request must arrive',
      zh: '整个请求必须到达的时限（秒）',
    },
  }),
  keep_alive_timeout: wholeNumber(1, 3600, 10, {
    group: 'network',
    about: { en: 'Seconds an idle connection is kept open', zh: '空闲连接保留时间（秒）' },
  }),

  api_keys: secretList(z.string().regex(/^[\x21-\x7e]{1,512}$/), {
    expected: {
      en: 'keys of printable ASCII characters, separated by commas',
      zh: '以逗号分隔的 Key，只含可见 ASCII 字符',
    },
    group: 'access',
    about: {
      en: 'API keys of administrators, separated by commas, sent in X-API-Key',
      zh: '管理员 API Key，逗号分隔，由请求头 X-API-Key 携带',
    },
    shownDefault: {
      en: 'none: a key is made at the first start',
      zh: '无：首次启动时自动生成一个',
    },
  }),
  auth_disabled: onOff({
    group: 'access',
    about: {
      en: 'Let everyone in as administrator; on a loopback address only',
      zh: '关闭认证，所有人都是管理员；仅限回环地址',
    },
  }),
  session_timeout: wholeNumber(1, 315_360_000, 3600, {
    group: 'access',
    about: {
      en: 'Seconds that a session may stay idle; used by sessions',
      zh: '会话允许的空闲时间（秒）；供会话使用',
    },
  }),

  data_dir: text(anyText, undefined, {
    expected: { en: 'a directory', zh: '目录' },
    group: 'storage',
    about: {
      en: 'Where databases, workspaces and key files live (the storage root)',
      zh: '数据目录（存储根目录）：数据库、工作区和密钥文件',
    },
    shownDefault: {
      en: '/data where it exists and can be written, else ~/.dataagent',
      zh: '/data（存在且可写时），否则 ~/.dataagent',
    },
  }),
  session_store: oneOf(['sqlite', 'mysql', 'postgres', 'memory'], undefined, {
    group: 'storage',
    about: {
      en: 'Where sessions, keys and all else are kept; memory: nowhere, gone when the server stops',
      zh: '会话、Key 等数据的存储方式；memory 表示不落盘，停止后即丢失',
    },
    shownDefault: {
      en: 'sqlite, or the kind that DATABASE_URL names',
      zh: 'sqlite，或 DATABASE_URL 所指的数据库',
    },
  }),
  database_url: secretText(anyText.refine(isDatabaseUrl), {
    expected: {
      en: 'a URL such as mysql://user:password@host/database, postgres://… or sqlite:///path',
      zh: '形如 mysql://user:password@host/database、postgres://… 或 sqlite:///path 的网址',
    },
    group: 'storage',
    env: 'DATABASE_URL',
    about: {
      en: 'Database to use; a driver in its scheme (mysql+pymysql://) is accepted',
      zh: '数据库地址；协议中可带驱动名（mysql+pymysql://）',
    },
    shownDefault: {
      en: 'dataagent.db in the data directory',
      zh: '数据目录中的 dataagent.db',
    },
  }),
  mysql_host: text(anyText, '127.0.0.1', {
    expected: { en: 'a host name', zh: '主机名' },
    group: 'storage',
    about: {
      en: 'MySQL server, with session_store mysql',
      zh: 'MySQL 主机（session_store 为 mysql 时）',
    },
  }),
  mysql_port: wholeNumber(1, 65_535, 3306, {
    group: 'storage',
    about: { en: 'Port of the MySQL server', zh: 'MySQL 端口' },
  }),
  mysql_user: text(anyText, 'dataagent', {
    expected: { en: 'a user name', zh: '用户名' },
    group: 'storage',
    about: { en: 'User of the MySQL server', zh: 'MySQL 用户' },
  }),
  mysql_password: secretText(z.string(), {
    expected: { en: 'a password', zh: '密码' },
    group: 'storage',
    about: { en: 'Password of that user', zh: '该用户的密码' },
  }),
  mysql_database: text(anyText, 'dataagent', {
    expected: { en: 'the name of a database', zh: '数据库名' },
    group: 'storage',
    about: { en: 'Database on the MySQL server', zh: 'MySQL 数据库名' },
  }),
  redis_url: secretText(anyText.refine(isRedisUrl), {
    expected: { en: 'a redis:// or rediss:// URL', zh: 'redis:// 或 rediss:// 网址' },
    group: 'storage',
    env: 'REDIS_URL',
    about: {
      en: 'Redis shared by several machines; without it this machine keeps the same data itself',
      zh: '多机共享的 Redis；未设置时由本机自行保存',
    },
  }),
  master_key: secretText(anyText, {
    expected: {
      en: 'the base64 of 32 bytes; older keys may follow after commas',
      zh: '32 字节的 base64；其后可用逗号附上旧密钥',
    },
    group: 'storage',
    about: {
      en: 'Key under which stored secrets are encrypted',
      zh: '用于加密所存机密的主密钥',
    },
    shownDefault: {
      en: 'master.key in the data directory, made at the first start',
      zh: '数据目录中的 master.key，首次启动时生成',
    },
  }),
  master_key_file: text(anyText, undefined, {
    expected: { en: 'a file', zh: '文件' },
    group: 'storage',
    about: { en: 'File that holds the master key', zh: '保存主密钥的文件' },
  }),

  workers: wholeNumber(1, 256, 1, {
    group: 'process',
    about: { en: 'Processes that serve requests', zh: '工作进程数' },
  }),
  shutdown_grace: wholeNumber(0, 3600, 25, {
    group: 'process',
    about: {
      en: 'Seconds that requests under way may take to finish when the server stops',
      zh: '停止时等待进行中请求完成的时间（秒）',
    },
  }),
  shutdown_delay: wholeNumber(0, 600, 0, {
    group: 'process',
    about: {
      en: 'Seconds to go on accepting after readiness has turned 503, for load balancers to notice',
      zh: '就绪检查变为 503 后继续接收请求的时间（秒），供负载均衡器感知',
    },
  }),
  log_level: oneOf(['debug', 'info', 'warning', 'error'], 'info', {
    group: 'process',
    about: { en: 'Least level that is logged', zh: '日志级别阈值' },
  }),
  log_format: oneOf(['auto', 'json', 'pretty'], 'auto', {
    group: 'process',
    about: {
      en: 'One JSON record a line, or lines for people; auto: pretty on a terminal',
      zh: '日志格式：json 每行一条记录；pretty 便于阅读；auto 在终端上用 pretty',
    },
  }),
  lang: oneOf(langs, undefined, {
    group: 'process',
    about: { en: 'Language of messages on the terminal', zh: '终端提示语言' },
    shownDefault: {
      en: 'from LC_ALL, LC_MESSAGES or LANG',
      zh: '取自 LC_ALL、LC_MESSAGES 或 LANG',
    },
  }),
})

/** Settings as they were given, each value checked. */
export type Settings = z.infer<typeof configSchema>

export type FieldName = keyof Settings
