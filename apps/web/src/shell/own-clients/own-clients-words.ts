import { defineWords } from '../../words/words.ts'

export const ownClientsWords = defineWords({
  en: {
    title: 'Connected clients',
    empty: 'No client is connected',
    emptyAbout: 'Claude, Cursor, Dify and others that you let use tools in your name.',
    client: 'Client',
    group: 'Tool group',
    lastUsed: 'Last used',
    expires: 'Expires',
    end: 'Disconnect',
    endOne: (name: string) => `Disconnect ${name}`,
    endTitle: (name: string) => `Disconnect ${name}?`,
    endAbout: 'It is cut off within a second, and can use the tools no longer until you allow it.',
    ended: 'The client was disconnected.',
  },
  zh: {
    title: '已连接的客户端',
    empty: '没有已连接的客户端',
    emptyAbout: '你授权以你的名义使用工具的 Claude、Cursor、Dify 等客户端。',
    client: '客户端',
    group: '工具组',
    lastUsed: '最近使用',
    expires: '到期时间',
    end: '断开',
    endOne: (name: string) => `断开 ${name}`,
    endTitle: (name: string) => `断开 ${name}？`,
    endAbout: '它会在一秒内断开，在你重新授权之前不能再使用这些工具。',
    ended: '客户端已断开。',
  },
})
