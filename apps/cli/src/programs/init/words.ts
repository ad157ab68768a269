import type { Text } from '../../words/index.ts'

export const words = {
  title: { en: 'DataAgent: first steps', zh: 'DataAgent：首次使用' },
  models: { en: 'Model', zh: '模型' },
  found: (name: string): Text => ({ en: `${name} is set`, zh: `已设置 ${name}` }),
  demo: {
    en: 'No model key is set: the built-in demo model answers. Set one of OPENAI_API_KEY, ANTHROPIC_API_KEY, or OPENAI_BASE_URL for a server of your own.',
    zh: '未设置模型密钥：将使用内置演示模型。请设置 OPENAI_API_KEY、ANTHROPIC_API_KEY 之一，自建服务请设置 OPENAI_BASE_URL。',
  },
  servers: { en: 'MCP servers', zh: 'MCP 服务器' },
  exists: (path: string): Text => ({ en: `${path} is there`, zh: `${path} 已存在` }),
  wouldWrite: (path: string): Text => ({
    en: `would write ${path}, without servers`,
    zh: `将写入 ${path}（不含服务器）`,
  }),
  askWrite: (path: string): Text => ({
    en: `Write ${path}, where your MCP servers are named? [y/N] `,
    zh: `写入 ${path}（你的 MCP 服务器配置）？[y/N] `,
  }),
  written: (path: string): Text => ({ en: `written: ${path}`, zh: `已写入：${path}` }),
  notWritten: { en: 'not written', zh: '未写入' },
  badAgent: (id: string): Text => ({
    en: `"${id}" cannot name a folder.`,
    zh: `“${id}”不能用作文件夹名。`,
  }),
  askImport: {
    en: 'Look for MCP servers of Claude Desktop, Cursor and VS Code, and choose from them? [y/N] ',
    zh: '查找 Claude Desktop、Cursor、VS Code 的 MCP 服务器并选择导入？[y/N] ',
  },
  importLater: {
    en: 'To take over those of other programs: dataagent mcp import',
    zh: '导入其他程序的服务器：dataagent mcp import',
  },
  nothing: {
    en: 'Nothing was changed, as nobody can be asked here. To do it: dataagent init --yes',
    zh: '此处无人可问，未作更改。执行：dataagent init --yes',
  },
  next: { en: 'Next', zh: '下一步' },
  steps: [
    {
      en: 'dataagent                   talk with the agent',
      zh: 'dataagent                   与智能体对话',
    },
    {
      en: 'dataagent mcp add …         give it tools',
      zh: 'dataagent mcp add …         为它添加工具',
    },
    {
      en: 'dataagent doctor            see whether all is well',
      zh: 'dataagent doctor            检查是否一切正常',
    },
    {
      en: 'dataagent serve             the web pages and the API',
      zh: 'dataagent serve             网页与 API',
    },
  ],
} as const
