import type { Text } from '../../words/index.ts'

export const words = {
  headings: {
    session_id: { en: 'ID', zh: 'ID' },
    title: { en: 'Title', zh: '标题' },
    agent: { en: 'Agent', zh: '智能体' },
    status: { en: 'Status', zh: '状态' },
    used: { en: 'Last used', zh: '最近使用' },
  },
  none: { en: 'There are no sessions.', zh: '没有会话。' },
  noneFound: { en: 'No session holds this.', zh: '没有匹配的会话。' },
  more: (shown: number, total: number): Text => ({
    en: `${shown} of ${total}; --limit shows more`,
    zh: `共 ${total} 个，显示 ${shown} 个；用 --limit 显示更多`,
  }),
  statuses: {
    idle: { en: 'idle', zh: '空闲' },
    running: { en: 'running', zh: '运行中' },
    waiting_approval: { en: 'waiting for you', zh: '等待审批' },
    error: { en: 'error', zh: '出错' },
  },
  roles: {
    user: { en: 'You', zh: '你' },
    assistant: { en: 'Agent', zh: '智能体' },
    tool: { en: 'Tool', zh: '工具' },
    system: { en: 'System', zh: '系统' },
  },
  needsId: (action: string): Text => ({
    en: `Which one? dataagent sessions ${action} ID (see: dataagent sessions list)`,
    zh: `请指定会话：dataagent sessions ${action} ID（参见：dataagent sessions list）`,
  }),
  needsTitle: {
    en: 'What title? dataagent sessions rename ID TITLE',
    zh: '请给出标题：dataagent sessions rename ID 标题',
  },
  badLimit: (value: string): Text => ({
    en: `--limit is a whole number from 1 to 200, not "${value}".`,
    zh: `--limit 应为 1 到 200 的整数，而不是“${value}”。`,
  }),
  exists: (path: string): Text => ({
    en: `${path} is there already: name another file.`,
    zh: `${path} 已存在：请使用其他文件名。`,
  }),
  written: (path: string): Text => ({ en: `Written: ${path}`, zh: `已写入：${path}` }),
  renamed: (title: string): Text => ({ en: `Renamed: ${title}`, zh: `已改名：${title}` }),
  deleted: (title: string): Text => ({ en: `Deleted: ${title}`, zh: `已删除：${title}` }),
  confirmDelete: (titles: string): Text => ({
    en: `Delete for good: ${titles}? [y/N] `,
    zh: `永久删除：${titles}？[y/N] `,
  }),
  needsYes: {
    en: 'Deleting is for good: say --yes where nobody can be asked.',
    zh: '删除不可恢复：无人可问时请使用 --yes。',
  },
  kept: { en: 'Nothing was deleted.', zh: '未删除。' },
} as const
