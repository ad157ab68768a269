import type { ServerFault } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'
import type { ServerState } from './rows.ts'

export const stateWords: Readonly<Record<ServerState, Text>> = {
  failed: { en: 'error', zh: '错误' },
  sign_in: { en: 'needs sign-in', zh: '需要登录' },
  credentials: { en: 'needs credentials', zh: '需要凭据' },
  invalid: { en: 'cannot be used', zh: '无法使用' },
  untrusted: { en: 'not agreed to', zh: '未经同意' },
  connecting: { en: 'connecting', zh: '连接中' },
  connected: { en: 'connected', zh: '已连接' },
  idle: { en: 'not connected', zh: '未连接' },
  refused: { en: 'refused', zh: '已拒绝' },
  off: { en: 'off', zh: '已停用' },
}

type Advice = (called: string, name: string) => Text

/** What to do, by what is wrong. */
export const advice: Readonly<Partial<Record<ServerFault, Advice>>> & {
  other: Advice
  edit(called: string): Text
  agree: Advice
  reload(called: string): Text
} = {
  unreachable: (called, name) => ({
    en: `see that it runs and that its address is right, then ${called} test ${name}`,
    zh: `请确认它在运行且地址正确，然后执行 ${called} test ${name}`,
  }),
  timeout: (called, name) => ({
    en: `it does not answer in time: ${called} test ${name} tells where it stops`,
    zh: `未及时应答：${called} test ${name} 会说明停在哪一步`,
  }),
  credentials: () => ({
    en: 'it does not accept the token or key that it is sent: put in a valid one',
    zh: '它不接受所发送的令牌或密钥：请换成有效的',
  }),
  needs_credentials: () => ({
    en: 'give your own credentials for it on the Tools page of the web application',
    zh: '请在网页版的“工具”页面为它填写您自己的凭据',
  }),
  sign_in: (called, name) => ({
    en: `${called} login ${name}`,
    zh: `${called} login ${name}`,
  }),
  not_found: () => ({
    en: 'there is no MCP server at this address: see its path',
    zh: '该地址没有 MCP 服务器：请检查路径',
  }),
  address_denied: () => ({
    en: 'an administrator has to allow this address',
    zh: '需要管理员允许该地址',
  }),
  start: (called, name) => ({
    en: `see that the command is installed, then ${called} test ${name}`,
    zh: `请确认命令已安装，然后执行 ${called} test ${name}`,
  }),
  other: (called, name) => ({
    en: `${called} test ${name} tells more`,
    zh: `${called} test ${name} 可了解详情`,
  }),
  edit: (called) => ({
    en: `correct the file, then ${called} reload`,
    zh: `请修正该文件，然后执行 ${called} reload`,
  }),
  agree: (called, name) => ({
    en: `${called} enable ${name} shows its command and asks`,
    zh: `${called} enable ${name} 会显示其命令并询问`,
  }),
  reload: (called) => ({ en: `${called} reload`, zh: `${called} reload` }),
}

export const stepWords: Readonly<Record<string, Text>> = {
  start: { en: 'connect', zh: '连接' },
  initialize: { en: 'agree on the protocol', zh: '协商协议' },
  'list tools': { en: 'list its tools', zh: '列出工具' },
  'check schemas': { en: 'check their definitions', zh: '检查工具定义' },
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export const words = {
  tools: (count: number): Text => ({ en: plural(count, 'tool'), zh: `${count} 个工具` }),
  scopes: {
    own: { en: 'yours, at the platform', zh: '您的，存于平台' },
    shared: { en: 'shared', zh: '共享' },
  },
  summary: (connected: number, attention: number): Text => ({
    en: `${connected} connected${attention === 0 ? '' : `, ${attention} in need of attention`}`,
    zh: `${connected} 个已连接${attention === 0 ? '' : `，${attention} 个需要处理`}`,
  }),
  none: (called: string): Text => ({
    en: `There are no MCP servers. ${called} add takes one in any form; ${called} import takes those of other programs.`,
    zh: `还没有 MCP 服务器。${called} add 可粘贴任何形式添加；${called} import 可导入其他程序的配置。`,
  }),
  unknownServer: (name: string, nearest: readonly string[]): Text => ({
    en: `There is no MCP server "${name}"${nearest.length ? `: there are ${nearest.join(', ')}` : ''}`,
    zh: `没有 MCP 服务器 "${name}"${nearest.length ? `：现有 ${nearest.join('、')}` : ''}`,
  }),
  usage: (called: string): Text => ({
    en: `Use: ${called} list · add · test NAME · login NAME · enable NAME · disable NAME · remove NAME · import · reload`,
    zh: `用法：${called} list · add · test 名称 · login 名称 · enable 名称 · disable 名称 · remove 名称 · import · reload`,
  }),
  listUsage: (called: string): Text => ({
    en: `Use: ${called} list [--output text|json]`,
    zh: `用法：${called} list [--output text|json]`,
  }),
  addUsage: (called: string): Text => ({
    en: `Use: ${called} add NAME [--env NAME=VALUE] -- COMMAND [ARGS…] · add NAME [--header "NAME: VALUE"] URL · add TEXT`,
    zh: `用法：${called} add 名称 [--env 变量=值] -- 命令 [参数…] · add 名称 [--header "名称: 值"] 地址 · add 文本`,
  }),
  needsName: (called: string, action: string): Text => ({
    en: `Which server? ${called} ${action} NAME`,
    zh: `哪个服务器？${called} ${action} 名称`,
  }),
  choose: { en: 'Which server?', zh: '选择服务器' },
  testing: (name: string): Text => ({ en: `Testing ${name} …`, zh: `正在测试 ${name} …` }),
  testOk: (tools: string, protocol: string): Text => ({
    en: `It works: ${tools}${protocol && `, MCP ${protocol}`}`,
    zh: `可以使用：${tools}${protocol && `，MCP ${protocol}`}`,
  }),
  testLog: { en: 'What it wrote last:', zh: '它最后的输出：' },
  testUnusable: (name: string): Text => ({
    en: `${name} cannot be tested as it is`,
    zh: `${name} 目前无法测试`,
  }),
  signedIn: (name: string): Text => ({ en: `Signed in at ${name}`, zh: `已登录 ${name}` }),
  alreadySignedIn: (name: string): Text => ({
    en: `You are signed in at ${name} already`,
    zh: `您已登录 ${name}`,
  }),
  visit: {
    en: 'Open this address in your browser and agree:',
    zh: '请在浏览器中打开此地址并同意：',
  },
  opened: { en: 'Your browser has been asked to open it.', zh: '已请求浏览器打开。' },
  waiting: (seconds: number): Text => ({
    en: `Waiting for you to sign in … ${seconds} s (Ctrl-C stops)`,
    zh: `等待登录 … ${seconds} 秒（Ctrl-C 停止）`,
  }),
  signInStopped: { en: 'Stopped: you are not signed in', zh: '已停止：尚未登录' },
  signInExpired: {
    en: 'The time to sign in is over: begin again',
    zh: '登录已超时：请重新开始',
  },
  noSignIn: (name: string): Text => ({
    en: `${name} is nothing to sign in at: it is not at the platform`,
    zh: `${name} 无法登录：它不在平台上`,
  }),
  changed: {
    enable: (name: string): Text => ({ en: `${name} is on`, zh: `${name} 已启用` }),
    disable: (name: string): Text => ({ en: `${name} is off`, zh: `${name} 已停用` }),
    remove: (name: string): Text => ({ en: `${name} is removed`, zh: `${name} 已移除` }),
    add: (name: string): Text => ({ en: `${name} is added`, zh: `${name} 已添加` }),
  },
  keptOld: (path: string): Text => ({
    en: `Comments went with it: the file as it was is ${path}.bak`,
    zh: `其中的注释一并移除：原文件保存为 ${path}.bak`,
  }),
  inOtherFile: (name: string, path: string): Text => ({
    en: `${name} is of ${path}: change it there`,
    zh: `${name} 属于 ${path}：请在该文件中修改`,
  }),
  isShared: (name: string): Text => ({
    en: `${name} is shared: administrators change it in the web application`,
    zh: `${name} 是共享的：由管理员在网页版中修改`,
  }),
  agreeTo: (name: string, path: string): Text => ({
    en: `${path} names the MCP server "${name}". It`,
    zh: `${path} 中有 MCP 服务器 "${name}"，它`,
  }),
  agreeQuestion: {
    en: 'Start it, now and until it changes?',
    zh: '同意启动它（在其改变之前一直有效）？',
  },
  takeQuestion: {
    en: 'Make it one of your own? It is then used in every folder, and not asked about again.',
    zh: '加入您自己的服务器？之后在所有文件夹中都会使用，不再询问。',
  },
  nobodyAgrees: (name: string): Text => ({
    en: `${name} came with this folder, and nobody can be asked here: import it in the terminal`,
    zh: `${name} 来自当前文件夹，而此处无人可询问：请在终端中导入`,
  }),
  leftOut: (called: string, names: readonly string[]): Text => ({
    en: `Left out, as they came with this folder: ${names.join(', ')}. ${called} import NAME shows one and asks`,
    zh: `以下服务器来自当前文件夹，未一并导入：${names.join('、')}。${called} import 名称 会逐一显示并询问`,
  }),
  notAgreed: (name: string): Text => ({ en: `${name} is not started`, zh: `${name} 不会启动` }),
  nobodyToAsk: {
    en: 'Nobody can be asked here: use --trust-project-mcp, or agree to it in the terminal',
    zh: '此处无人可询问：请用 --trust-project-mcp，或在终端中同意',
  },
  reloaded: (count: number): Text => ({
    en: `Read again: ${plural(count, 'server')} of configuration files`,
    zh: `已重新读取：配置文件中有 ${count} 个服务器`,
  }),
  remoteReload: (url: string): Text => ({
    en: `${url} keeps its own servers: files of this machine are not used there`,
    zh: `${url} 使用自己的服务器：不使用本机的配置文件`,
  }),
  addWhat: {
    en: 'Paste a configuration, a command line, or an address',
    zh: '粘贴配置、命令行或地址',
  },
  nothingAdded: { en: 'Nothing was added', zh: '未添加任何内容' },
  addQuestion: (count: number): Text => ({
    en: `Add ${plural(count, 'server')}?`,
    zh: `添加 ${count} 个服务器？`,
  }),
  taken: (name: string): Text => ({
    en: `There is a server "${name}" already: remove it first, or give another with --name`,
    zh: `已有服务器 "${name}"：请先移除，或用 --name 另取名称`,
  }),
  preview: {
    new: { en: 'new', zh: '新' },
    duplicate: { en: 'there already', zh: '已存在' },
    invalid: { en: 'cannot be used', zh: '无法使用' },
  },
  fillIn: (fields: string): Text => ({
    en: `to be filled in: ${fields}`,
    zh: `需要填写：${fields}`,
  }),
  hasSecrets: (fields: string): Text => ({
    en: `with secrets (not shown): ${fields}`,
    zh: `含机密（不显示）：${fields}`,
  }),
  noneFound: { en: 'No configuration of another program was found', zh: '未找到其他程序的配置' },
  nothingNew: { en: 'There is nothing new in them', zh: '其中没有新的服务器' },
  importSent: (url: string): Text => ({
    en: `What these files say of servers is sent to ${url} to be read. Go on?`,
    zh: `这些文件中的服务器配置将发送到 ${url} 进行读取。继续？`,
  }),
  importAll: (count: number): Text => ({
    en: `All ${count} new ones`,
    zh: `全部 ${count} 个新服务器`,
  }),
  importDone: { en: 'Done', zh: '完成' },
  importTitle: { en: 'Which ones?', zh: '选择要导入的服务器' },
  importHint: (called: string): Text => ({
    en: `Nothing is imported yet: ${called} import --all, or ${called} import NAME …`,
    zh: `尚未导入：${called} import --all，或 ${called} import 名称 …`,
  }),
  noUserFile: {
    en: 'This agent has no file for servers: its name cannot be the name of a folder',
    zh: '该助手没有服务器配置文件：其标识不能用作文件夹名',
  },
} as const
