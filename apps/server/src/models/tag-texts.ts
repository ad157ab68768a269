import type { Text } from '../config/index.ts'
import type { Tag } from '../deps/index.ts'

/** What each subject is about. */
export const tagTexts: Record<Tag, Text> = {
  'sign-in': {
    en: 'Sign in and out of the browser, and see who you are.',
    zh: '浏览器登录与退出，查看当前身份。',
  },
  chat: {
    en: 'Ask an agent, cancel what it does, let it go on.',
    zh: '向智能体提问，取消或继续运行。',
  },
  sessions: {
    en: 'Conversations: their messages, events and runs.',
    zh: '会话及其消息、事件和运行。',
  },
  agents: { en: 'The agents that one can talk to.', zh: '可以对话的智能体。' },
  models: { en: 'Models and the providers they come from.', zh: '模型及模型服务商。' },
  evaluations: {
    en: 'Sets of questions, runs of them against an agent, and what those came to.',
    zh: '题集、对智能体的评测运行与结果报告。',
  },
  data: {
    en: 'Sources of data, what their words mean, questions, and queries with their rows.',
    zh: '数据源、业务术语、问题，以及查询与结果。',
  },
  approvals: {
    en: 'Actions that wait for a person to decide.',
    zh: '等待人工决定的操作。',
  },
  tools: {
    en: 'Tools: find them, call them, learn why one may not be called.',
    zh: '工具：查找、调用，以及为何不可调用。',
  },
  servers: {
    en: "MCP servers, a user's own and shared ones.",
    zh: 'MCP 服务器：个人的与共享的。',
  },
  gateway: {
    en: 'Tool groups for MCP clients: their tools, keys, and who is connected.',
    zh: '供 MCP 客户端使用的工具组：工具、Key 与已连接的客户端。',
  },
  policy: {
    en: 'Who may use which tools, and how often.',
    zh: '谁可以使用哪些工具，以及使用频率。',
  },
  users: { en: 'Users and their API keys.', zh: '用户及其 API Key。' },
  tenants: { en: 'Tenants, their limits and what they use.', zh: '租户、限额与用量。' },
  audit: {
    en: 'What was called and what was changed, and proof that nothing is missing.',
    zh: '调用与变更记录，及其完整性证明。',
  },
  memory: { en: 'What agents remember of you.', zh: '智能体关于你的记忆。' },
  files: { en: 'The files of your workspace.', zh: '你的工作区文件。' },
  operations: {
    en: 'How the server is: health, metrics, settings, this description.',
    zh: '服务状态：健康检查、指标、配置与本文档。',
  },
}
