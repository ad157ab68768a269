import type { Text } from '../../words/index.ts'

export const words = {
  oneSource: {
    en: 'Say what is to be served: one of --folder DIR, --sqlite FILE, --duckdb FILE, --url URL, or DATAAGENT_DATA_URL.',
    zh: '请指定一个数据来源：--folder 目录、--sqlite 文件、--duckdb 文件、--url 地址，或 DATAAGENT_DATA_URL。',
  },
  badUrl: {
    en: 'An address is mysql://user:password@host:port/database, or postgres://…',
    zh: '地址格式为 mysql://用户:密码@主机:端口/数据库，或 postgres://…',
  },
  notThere: (path: string): Text => ({
    en: `${path} is not there, or not of that kind.`,
    zh: `${path} 不存在或类型不符。`,
  }),
  passwordSeen: {
    en: 'Other users of this machine can see the password in --url: use DATAAGENT_DATA_URL instead.',
    zh: '本机其他用户可以看到 --url 中的密码：请改用 DATAAGENT_DATA_URL。',
  },
  serving: (name: string): Text => ({
    en: `serving ${name} over standard input and output`,
    zh: `正在通过标准输入输出提供 ${name}`,
  }),
} as const
