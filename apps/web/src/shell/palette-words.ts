import { defineWords } from '../words/words.ts'

export const paletteWords = defineWords({
  en: {
    title: 'Search',
    placeholder: 'A page, a chat, words of a message…',
    nothing: 'Nothing found.',
    goTo: 'Go to',
    chats: 'Chats',
    untitled: 'New chat',
    pages: [
      { to: '/c', label: 'New chat' },
      { to: '/data', label: 'Data: sources, questions, definitions' },
      { to: '/tools', label: 'Tools: my servers' },
      { to: '/tools/expose', label: 'Tools: offer to Dify, Claude, Cursor' },
      { to: '/approvals', label: 'Approvals' },
      { to: '/files', label: 'Files' },
      { to: '/evaluations', label: 'Evaluations: questions, runs, reports' },
      { to: '/memory', label: 'Memory: what is remembered of you' },
      { to: '/admin', label: 'Admin: overview' },
    ],
  },
  zh: {
    title: '搜索',
    placeholder: '页面、对话或消息内容…',
    nothing: '没有找到。',
    goTo: '跳转到',
    chats: '对话',
    untitled: '新对话',
    pages: [
      { to: '/c', label: '新对话' },
      { to: '/data', label: '数据：数据源、问题与定义' },
      { to: '/tools', label: '工具：我的服务' },
      { to: '/tools/expose', label: '工具：提供给 Dify、Claude、Cursor' },
      { to: '/approvals', label: '审批' },
      { to: '/files', label: '文件' },
      { to: '/evaluations', label: '评测：题集、运行与报告' },
      { to: '/memory', label: '记忆：关于你的记忆' },
      { to: '/admin', label: '管理：总览' },
    ],
  },
})
