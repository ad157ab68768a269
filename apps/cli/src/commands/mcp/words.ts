import type { Text } from '../../words/index.ts'

export const about: Text = {
  en: 'MCP servers: see, add, test, sign in',
  zh: 'MCP 服务器：状态、添加、测试、登录、启用与停用',
}

/** By the name of the action, in the order of how often it is wanted. */
export const actionWords: Readonly<Record<string, Text>> = {
  list: { en: 'How they fare, and what to do', zh: '查看状态与处理建议' },
  add: { en: 'Add one: paste any form of it', zh: '添加：可粘贴任何形式' },
  test: { en: 'Connect step by step and tell how far it came', zh: '逐步连接并说明结果' },
  login: { en: 'Sign in at one in the browser', zh: '在浏览器中登录' },
  enable: { en: 'Switch one on', zh: '启用' },
  disable: { en: 'Switch one off', zh: '停用' },
  remove: { en: 'Remove one of your own', zh: '移除您自己的服务器' },
  reload: { en: 'Read the configuration files again', zh: '重新读取配置文件' },
  import: { en: 'Take over those of other programs', zh: '导入其他程序的服务器' },
}
