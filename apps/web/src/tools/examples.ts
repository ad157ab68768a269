import type { ServerConfigInput } from '@dataagent/schema'
import { defineWords } from '../words/words.ts'

/** A server to begin with: its configuration, complete but for what is one's own. */
export interface Example {
  id: keyof (typeof exampleWords)['en']['examples']
  config: ServerConfigInput
  /** Where its author describes it. */
  link: string
}

export const sampleCommand = 'node examples/mall/main.ts --port 8931'

export const sampleConfig: ServerConfigInput = {
  name: 'mall',
  transport: 'sse',
  url: 'http://127.0.0.1:8931/sse',
  trigger_keywords: ['order', 'product', 'stock', '订单', '商品', '库存'],
}

/** What runs on this machine is of one version, the one that our own tests run. */
const referenceVersion = '2026.8.31'
const reference = 'https://github.com/modelcontextprotocol/servers/tree/main/src'

export const examples: readonly Example[] = [
  {
    id: 'deepwiki',
    config: { name: 'deepwiki', url: 'https://mcp.deepwiki.com/mcp' },
    link: 'https://docs.devin.ai/work-with-devin/deepwiki-mcp',
  },
  {
    id: 'context7',
    config: { name: 'context7', url: 'https://mcp.context7.com/mcp' },
    link: 'https://github.com/upstash/context7',
  },
  {
    id: 'github',
    config: {
      ...{ name: 'github', url: 'https://api.githubcopilot.com/mcp/' },
      headers: { Authorization: 'Bearer ' },
    },
    link: 'https://github.com/github/github-mcp-server',
  },
  {
    id: 'notion',
    config: { name: 'notion', url: 'https://mcp.notion.com/mcp' },
    link: 'https://developers.notion.com/docs/mcp',
  },
  {
    id: 'linear',
    config: { name: 'linear', url: 'https://mcp.linear.app/mcp' },
    link: 'https://linear.app/docs/mcp',
  },
  {
    id: 'files',
    config: {
      ...{ name: 'files', command: 'npx' },
      args: [
        '-y',
        `@modelcontextprotocol/server-filesystem@${referenceVersion}`,
        '/path/to/folder',
      ],
    },
    link: `${reference}/filesystem`,
  },
  {
    id: 'everything',
    config: {
      ...{ name: 'everything', command: 'npx' },
      args: ['-y', `@modelcontextprotocol/server-everything@${referenceVersion}`],
    },
    link: `${reference}/everything`,
  },
  {
    id: 'fetch',
    config: { name: 'fetch', command: 'uvx', args: ['mcp-server-fetch@2025.4.7'] },
    link: `${reference}/fetch`,
  },
]

/** How a configuration looks, for who writes one by hand. */
export const formats = [
  {
    name: 'mcpServers',
    text: JSON.stringify(
      {
        mcpServers: {
          files: {
            command: 'npx',
            args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'],
            env: { LOG_LEVEL: 'info' },
          },
          docs: { type: 'http', url: 'https://mcp.deepwiki.com/mcp' },
        },
      },
      null,
      2,
    ),
  },
  {
    name: 'servers',
    text: JSON.stringify(
      {
        servers: [
          { name: 'files', command: 'npx', args: ['-y', 'package'], env: { API_KEY: '<key>' } },
        ],
      },
      null,
      2,
    ),
  },
  {
    name: 'claude mcp add',
    text: 'claude mcp add --transport http docs https://mcp.deepwiki.com/mcp',
  },
  { name: 'npx', text: 'npx -y @modelcontextprotocol/server-everything' },
] as const

export const exampleWords = defineWords({
  en: {
    title: 'Examples',
    about: 'One click fills the form; nothing is added before you say so.',
    use: (name: string) => `Use ${name}`,
    more: 'About it',
    needsAdmin: 'An administrator starts it.',
    formats: 'How a configuration looks',
    formatsAbout: 'Any of these can be pasted.',
    pasteIt: 'Paste this',
    examples: {
      deepwiki: 'Asks questions about public GitHub repositories. No sign-in.',
      context7: 'Current documentation of libraries, for code questions. No sign-in.',
      github: 'Issues, pull requests and code. With a personal access token.',
      notion: 'Pages and databases of your workspace. You sign in with the browser.',
      linear: 'Issues and projects. You sign in with the browser.',
      files: 'Reads and writes files of one folder. Needs Node.js.',
      everything: 'The reference server, which shows all that MCP can do. Needs Node.js.',
      fetch: 'Reads pages of the web as text. Needs uv.',
    },
  },
  zh: {
    title: '示例',
    about: '点击即可填入表单；确认之前不会添加任何内容。',
    use: (name: string) => `使用 ${name}`,
    more: '了解更多',
    needsAdmin: '需由管理员启动。',
    formats: '配置的写法',
    formatsAbout: '以下任何一种都可以粘贴。',
    pasteIt: '粘贴这段',
    examples: {
      deepwiki: '针对公开的 GitHub 仓库提问。无需登录。',
      context7: '各类库的最新文档，适合编程问题。无需登录。',
      github: '议题、合并请求和代码。需要个人访问令牌。',
      notion: '你的工作区中的页面和数据库。通过浏览器登录。',
      linear: '议题和项目。通过浏览器登录。',
      files: '读写一个文件夹中的文件。需要 Node.js。',
      everything: '参考服务，展示 MCP 的全部能力。需要 Node.js。',
      fetch: '把网页读取为文本。需要 uv。',
    },
  },
})
