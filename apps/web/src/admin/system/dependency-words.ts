import { defineWords } from '../../words/words.ts'

const names: Record<string, string> = {
  ...{ database: 'Database', 'key-value store': 'Key-value store', platform: 'Platform' },
}
const namesZh: Record<string, string> = {
  ...{ database: '数据库', 'key-value store': '键值存储', platform: '平台' },
}

export const dependencyWords = defineWords({
  en: {
    names,
    status: { ready: 'Ready', connecting: 'Connecting', away: 'Away' },
    since: (ago: string) => `since ${ago}`,
    none: 'The server needs nothing but itself.',
  },
  zh: {
    names: namesZh,
    status: { ready: '正常', connecting: '连接中', away: '不可用' },
    since: (ago: string) => `${ago}起`,
    none: '服务不依赖其他组件。',
  },
})
