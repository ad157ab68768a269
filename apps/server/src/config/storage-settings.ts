import { z } from 'zod'
import { anyText, oneOf, secretText, text, wholeNumber } from './field.ts'
import { isDatabaseUrl, isRedisUrl } from './value-checks.ts'

/** Where data lies, and how long. */
export const storageSettings = {
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
  session_store: oneOf(['sqlite', 'mysql', 'postgres', 'redis', 'memory'], undefined, {
    group: 'storage',
    about: {
      en: 'Where sessions are kept, and all else but for redis, which needs REDIS_URL and keeps sessions alone; memory: nowhere, gone when the server stops',
      zh: '会话及其他数据的存储方式；redis 只存会话且需要 REDIS_URL，其他数据仍在数据库；memory 表示不落盘，停止后即丢失',
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
  retention_days: wholeNumber(1, 36_500, 90, {
    group: 'storage',
    about: {
      en: 'Days that tool calls, ended runs, evaluations, decided approvals and feedback are kept',
      zh: '工具调用记录、已结束的运行、评测、已处理的审批和反馈的保留天数',
    },
  }),
  memory_retention_days: wholeNumber(1, 36_500, 90, {
    group: 'storage',
    about: {
      en: 'Days that a remembered fact is kept without being used',
      zh: '长期记忆在未被使用时的保留天数',
    },
  }),
  workspace_archive_days: wholeNumber(1, 36_500, 30, {
    group: 'storage',
    about: {
      en: 'Days after which the workspace of a user who does not use it is archived',
      zh: '用户工作区在多少天未使用后归档',
    },
  }),
}
