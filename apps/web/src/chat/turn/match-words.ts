import { defineWords } from '../../words/words.ts'

export const matchWords = defineWords({
  en: {
    matched: 'Matched',
    by: {
      keyword: (word: string) => ` by keyword “${word}”`,
      name: (word: string) => ` by name “${word}”`,
    },
    between: ', ',
    offered: (n: number) => ` – ${n} ${n === 1 ? 'tool' : 'tools'} offered`,
    all: (n: number) =>
      n === 1 ? ' – its tool is always offered' : ` – all ${n} tools are always offered`,
    search: ' – the assistant looks for the tools it needs',
    none: ' – none of its tools can be used now',
    unknown: (word: string) => `There is no tool “${word}” in this chat.`,
    dismiss: 'Hide this hint',
  },
  zh: {
    matched: '已匹配',
    by: {
      keyword: (word: string) => `（关键词“${word}”）`,
      name: (word: string) => `（名称“${word}”）`,
    },
    between: '、',
    offered: (n: number) => ` – 提供 ${n} 个工具`,
    all: (n: number) => ` – 全部 ${n} 个工具始终提供`,
    search: ' – 助手会自行查找所需的工具',
    none: ' – 它的工具目前都不可用',
    unknown: (word: string) => `此对话中没有名为“${word}”的工具。`,
    dismiss: '隐藏此提示',
  },
})
