import type { Text } from '../words/index.ts'
import type { TextFile } from './read-text.ts'

type Why = Extract<TextFile, { status: 'unreadable' }>['why']

/** Why a file was not read. */
export const unreadable: Readonly<Record<Why | 'missing', (path: string) => Text>> = {
  missing: (path) => ({
    en: `${path} does not exist`,
    zh: `${path} 不存在`,
  }),
  not_a_file: (path) => ({
    en: `${path} is not a file`,
    zh: `${path} 不是文件`,
  }),
  too_large: (path) => ({
    en: `${path} is larger than 1 MiB and was not read`,
    zh: `${path} 超过 1 MiB，未读取`,
  }),
  not_text: (path) => ({
    en: `${path} is not a text file`,
    zh: `${path} 不是文本文件`,
  }),
  denied: (path) => ({
    en: `${path} cannot be read: check its permissions`,
    zh: `${path} 无法读取：请检查权限`,
  }),
}

export const words = {
  notJson: (path: string, fault: string): Text => ({
    en: `${path} is not JSON: ${fault}`,
    zh: `${path} 不是 JSON：${fault}`,
  }),
  noServers: (path: string): Text => ({
    en: `${path} has neither a list "servers" nor an object "mcpServers"`,
    zh: `${path} 中既没有列表 "servers"，也没有对象 "mcpServers"`,
  }),
  tooMany: (path: string, max: number): Text => ({
    en: `${path} has more than ${max} servers: the others are left out`,
    zh: `${path} 中的服务器超过 ${max} 个：其余已跳过`,
  }),
  badAssistant: {
    en: 'The name of the agent cannot be the name of a folder: its mcp.json is not read',
    zh: '助手的标识不能用作文件夹名：未读取其 mcp.json',
  },
  missing: (name: string): Text => ({
    en: `the variable ${name} is not set: set it, or write \${${name}:-default}`,
    zh: `未设置变量 ${name}：请设置它，或写成 \${${name}:-默认值}`,
  }),
  malformed: (name: string): Text => ({
    en: `"\${${name}" is not a reference to a variable: write \${NAME} or \${NAME:-default}, and $\${ for a plain \${`,
    zh: `"\${${name}" 不是变量引用：请写 \${NAME} 或 \${NAME:-默认值}；要写普通的 \${ 请用 $\${`,
  }),
  twice: (name: string): Text => ({
    en: `the name "${name}" stands twice in this file: the last one counts`,
    zh: `名称 "${name}" 在该文件中出现了两次：以最后一个为准`,
  }),
  trustedByFlag: (path: string): Text => ({
    en: `--trust-project-mcp: the servers of ${path} are started without anybody having agreed to them`,
    zh: `--trust-project-mcp：${path} 中的服务器未经任何人同意即会启动`,
  }),
  untrusted: (name: string, path: string): Text => ({
    en: `MCP server "${name}" of ${path} is not started: nobody has agreed to its command`,
    zh: `${path} 中的 MCP 服务器 "${name}" 未启动：尚无人同意其命令`,
  }),
  invalid: (name: string, path: string, problem: string): Text => ({
    en: `MCP server "${name}" of ${path} is left out: ${problem}`,
    zh: `${path} 中的 MCP 服务器 "${name}" 已跳过：${problem}`,
  }),
  notConnected: (name: string, problem: string): Text => ({
    en: `MCP server ${name && `"${name}" `}is not connected: ${problem}`,
    zh: `MCP 服务器 ${name && `"${name}" `}未连接：${problem}`,
  }),
  run: { en: 'runs', zh: '运行' },
  connects: { en: 'connects to', zh: '连接' },
  inFolder: { en: 'in', zh: '目录' },
  environment: { en: 'with', zh: '环境变量' },
  headers: { en: 'sends', zh: '请求头' },
  settings: { en: 'settings', zh: '设置' },
  variables: { en: 'takes your', zh: '读取变量' },
  unset: { en: 'not set', zh: '未设置' },
} as const
