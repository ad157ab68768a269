import { defineWords } from '../../words/words.ts'

export const chipWords = defineWords({
  en: {
    agent: 'Agent',
    toolsLabel: 'Tools',
    toolsTitle: 'Tools in this chat',
    toolsAbout:
      'Switched off, a server’s tools are not there in this chat, from your next message on.',
    noServers: 'No server gives this chat tools yet.',
    manage: 'See and connect tools',
    tools: (tools: number, servers: number) =>
      `${tools} ${tools === 1 ? 'tool' : 'tools'} from ${servers} ${servers === 1 ? 'server' : 'servers'}`,
    noTools: 'No tools from servers',
    off: (n: number) => `${n} off`,
    signIn: (n: number) => `${n} ${n === 1 ? 'needs' : 'need'} sign-in`,
    comma: ', ',
    count: (n: number) => (n === 1 ? '1 tool' : `${n} tools`),
    approvals: 'Approvals',
    ask: 'Asks you',
    auto: 'Approves by itself',
    askAbout: 'Ask me before anything that changes something',
    autoAbout: 'Approve by itself in this chat, within the policy',
  },
  zh: {
    agent: '智能体',
    toolsLabel: '工具',
    toolsTitle: '此对话中的工具',
    toolsAbout: '关闭后，从你的下一条消息起，该服务的工具在此对话中不可用。',
    noServers: '还没有服务为此对话提供工具。',
    manage: '查看和连接工具',
    tools: (tools: number, servers: number) => `${servers} 个服务的 ${tools} 个工具`,
    noTools: '没有服务提供工具',
    off: (n: number) => `${n} 个已关闭`,
    signIn: (n: number) => `${n} 个需要登录`,
    comma: '，',
    count: (n: number) => `${n} 个工具`,
    approvals: '审批',
    ask: '先问我',
    auto: '自动批准',
    askAbout: '会改动数据的操作先问我',
    autoAbout: '在本对话中自动批准（仍受策略限制）',
  },
})
