import type { Text } from '../words/index.ts'
import type { CommandGroup } from './contract.ts'

export const groupNames: Readonly<Record<CommandGroup, Text>> = {
  session: { en: 'Sessions', zh: '会话' },
  data: { en: 'Data', zh: '数据' },
  agent: { en: 'Agent', zh: '智能体' },
  tools: { en: 'Tools and approval', zh: '工具与审批' },
  use: { en: 'Use', zh: '用量' },
  program: { en: 'This program', zh: '程序' },
}

export const unknownCommand = (name: string, nearest: string | undefined): Text =>
  nearest === undefined
    ? {
        en: `There is no command /${name}. /help lists them.`,
        zh: `没有命令 /${name}。/help 列出全部命令。`,
      }
    : {
        en: `There is no command /${name}. Did you mean /${nearest}?`,
        zh: `没有命令 /${name}。是否想用 /${nearest}？`,
      }

export const asMessage: Text = {
  en: 'To send it to the agent, put a word before it.',
  zh: '如需发送给智能体，请在前面加一个词。',
}

export const ambiguousCommand = (name: string, names: readonly string[]): Text => {
  const list = names.map((one) => `/${one}`).join(' ')
  return { en: `/${name} may be: ${list}`, zh: `/${name} 可能是：${list}` }
}

export const usageOf = (usage: string): Text => ({ en: `Use: ${usage}`, zh: `用法：${usage}` })

export const noSession: Text = {
  en: 'Nothing has been said in this session yet. Type a message to begin.',
  zh: '此会话还没有内容。输入消息即可开始。',
}

export const stopped: Text = { en: 'Stopped.', zh: '已停止。' }

export const leftAsIs: Text = { en: 'Nothing was changed.', zh: '未作更改。' }

/** By the code of an error; what is not here is told in the platform's own words. */
export const faults: Readonly<Record<string, Text>> = {
  network_failed: {
    en: 'The platform does not answer. Try again; /doctor looks for the reason.',
    zh: '平台没有响应。请重试；/doctor 可查找原因。',
  },
  unauthenticated: {
    en: 'The platform does not know this key any more. Start again with a valid one.',
    zh: '平台不再接受此密钥。请使用有效密钥重新启动。',
  },
  forbidden: {
    en: 'You may not do that. An administrator can.',
    zh: '您没有此权限，管理员可以执行。',
  },
  store_unavailable: {
    en: "The platform's database is away. Try again in a moment.",
    zh: '平台的数据库暂不可用，请稍后重试。',
  },
  invalid_answer: {
    en: 'This program and the platform are of different versions. Update the older one.',
    zh: '本程序与平台版本不一致，请更新较旧的一方。',
  },
  quota_exceeded: {
    en: 'A limit is reached: make room, or ask an administrator.',
    zh: '已达上限：请清理，或联系管理员。',
  },
}

export const somethingWrong = (told: string): Text => ({
  en: `It did not work: ${told}`,
  zh: `未成功：${told}`,
})
