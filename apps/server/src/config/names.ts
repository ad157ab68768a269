import { configSchema, type FieldName } from './config.ts'
import { type FieldMeta, fieldMeta } from './field.ts'

/** One setting with everything that is said of it. */
export interface Field extends FieldMeta {
  name: FieldName
  env: string
  flag: string
  schema: (typeof configSchema.shape)[FieldName]
}

/** All settings, in the order of the schema. */
export const fields: readonly Field[] = Object.entries(configSchema.shape).map(([key, schema]) => {
  const name = key as FieldName
  const meta = fieldMeta.get(schema)
  if (!meta) throw new TypeError(`the setting ${name} has no description`)
  return { env: `DATAAGENT_${name.toUpperCase()}`, ...meta, name, flag: toFlag(name), schema }
})

/** What is asked of a start besides its settings. Flags only, except `config`. */
export const actions = {
  config: {
    flag: '--config',
    env: 'DATAAGENT_CONFIG',
    about: {
      en: 'Read settings from this JSON file (default: dataagent.config.json in the data directory)',
      zh: '从该 JSON 文件读取配置（默认：数据目录中的 dataagent.config.json）',
    },
  },
  new_admin_key: {
    flag: '--new-admin-key',
    about: {
      en: 'Make a new administrator key, show it and exit',
      zh: '生成新的管理员 Key，显示后退出',
    },
  },
  fill_key_hashes: {
    flag: '--fill-key-hashes',
    about: {
      en: 'Fill the hashes of gateway keys that were stored without one, say how many and exit',
      zh: '为缺少哈希的网关 Key 补全哈希，显示数量后退出',
    },
  },
  reseal: {
    flag: '--reseal',
    about: {
      en: 'Seal all stored secrets under the first master key, say how many and exit',
      zh: '用第一个主密钥重新加密所有已存的机密，显示数量后退出',
    },
  },
  backup: {
    flag: '--backup',
    about: {
      en: 'Copy the data directory and the SQLite database into this empty directory, also while the server runs, and exit',
      zh: '把数据目录和 SQLite 数据库备份到该空目录后退出，服务器运行时也可执行',
    },
  },
  with_key: {
    flag: '--with-key',
    about: {
      en: 'With --backup: the master key too, which opens every secret in it',
      zh: '与 --backup 同用：同时备份主密钥，持有者可解密其中所有机密',
    },
  },
  restore: {
    flag: '--restore',
    about: {
      en: 'Check the backup in this directory, put it into an empty data directory and exit',
      zh: '校验该目录中的备份，恢复到空的数据目录后退出',
    },
  },
  help: { flag: '--help', about: { en: 'Show this text', zh: '显示本说明' } },
  version: { flag: '--version', about: { en: 'Show the version', zh: '显示版本' } },
} as const

/** What is done in the place of serving. */
export const commands = [
  ...(['new_admin_key', 'fill_key_hashes', 'reseal'] as const),
  ...(['backup', 'restore'] as const),
] as const
export type Command = (typeof commands)[number]

/** What some of them are told besides. */
export interface Operands {
  /** That of `backup` and `restore`. */
  folder: string
  with_key: boolean
}

function toFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`
}
