import type { Text } from '../words/index.ts'
import type { CheckName, CheckStatus } from './contract.ts'

export const checkTitles: Readonly<Record<CheckName, Text>> = {
  node: { en: 'Node', zh: 'Node' },
  terminal: { en: 'Terminal', zh: '终端' },
  encoding: { en: 'Encoding', zh: '编码' },
  colours: { en: 'Colours', zh: '颜色' },
  storage: { en: 'Storage', zh: '存储' },
  log: { en: 'Log', zh: '日志' },
  models: { en: 'Models', zh: '模型' },
  platform: { en: 'Platform', zh: '平台' },
  servers: { en: 'MCP servers', zh: 'MCP 服务器' },
  clock: { en: 'Clock', zh: '时钟' },
  proxy: { en: 'Proxy', zh: '代理' },
}

export const verdicts: Readonly<Record<CheckStatus, Text>> = {
  pass: { en: 'Everything is in order.', zh: '一切正常。' },
  warn: { en: 'It works; something could be better.', zh: '可以使用，有可改进之处。' },
  fail: {
    en: 'Something does not work: see above what to do.',
    zh: '存在问题，请按上述说明处理。',
  },
}

export const nodeIs = (version: string): Text => ({ en: version, zh: version })
export const nodeTooOld = (wanted: number): Text => ({
  en: `Install Node ${wanted} or newer.`,
  zh: `请安装 Node ${wanted} 或更新版本。`,
})

export const terminalIs = (term: string, columns: number, rows: number): Text => ({
  en: `${term}, ${columns} columns, ${rows} rows`,
  zh: `${term}，${columns} 列 ${rows} 行`,
})
export const noTerminal: Text = {
  en: 'none: input or output is a pipe',
  zh: '无：输入或输出为管道',
}
export const useRun: Text = {
  en: 'Without a terminal use: dataagent run "…"',
  zh: '没有终端时请使用：dataagent run "…"',
}
export const terminalIsDumb: Text = {
  en: 'TERM is dumb or not set: lines are printed plainly. Set TERM as your terminal says.',
  zh: 'TERM 为 dumb 或未设置，将逐行输出。请按终端说明设置 TERM。',
}
export const terminalIsSmall: Text = {
  en: 'Make it at least 60 columns and 12 rows.',
  zh: '建议至少 60 列、12 行。',
}
export const encodingIs = (locale: string): Text => ({ en: locale, zh: locale })
export const setUtf8: Text = {
  en: 'Signs and Chinese may not show. Set LANG to a UTF-8 locale, such as C.UTF-8.',
  zh: '符号和中文可能无法显示。请将 LANG 设为 UTF-8，例如 C.UTF-8。',
}
export const coloursOn: Text = { en: 'on', zh: '开启' }
export const coloursOff = (why: string): Text => ({ en: `off (${why})`, zh: `关闭（${why}）` })

export const storageIs = (path: string, free: string): Text => ({
  en: `${path}, ${free} free`,
  zh: `${path}，剩余 ${free}`,
})
export const storageNotWritable = (path: string): Text => ({
  en: `${path} cannot be written`,
  zh: `${path} 无法写入`,
})
export const chooseStorage: Text = {
  en: 'Give it to your user, or name another by DATAAGENT_DATA_DIR.',
  zh: '请为当前用户授权，或用 DATAAGENT_DATA_DIR 指定其他目录。',
}
export const makeRoom: Text = {
  en: 'Make room on that disk.',
  zh: '请清理该磁盘空间。',
}

export const logIs = (path: string, size: string): Text => ({
  en: `${path} (${size})`,
  zh: `${path}（${size}）`,
})
export const logNotYet = (path: string): Text => ({
  en: `${path} (not written yet)`,
  zh: `${path}（尚未写入）`,
})
export const logNotWritable = (path: string): Text => ({
  en: `${path} cannot be written`,
  zh: `${path} 无法写入`,
})
export const giveLog: Text = {
  en: 'Give the file and its folder to your user.',
  zh: '请将该文件及其目录授权给当前用户。',
}

export const keysSet = (names: string): Text => ({
  en: `set: ${names}`,
  zh: `已设置：${names}`,
})
export const modelsThere = (count: number, first: string): Text => ({
  en: `${count}, by default ${first}`,
  zh: `${count} 个，默认 ${first}`,
})
export const onlyDemo: Text = { en: 'only the demo model', zh: '只有演示模型' }
export const setKey: Text = {
  en: 'Set OPENAI_API_KEY or ANTHROPIC_API_KEY (or OPENAI_BASE_URL for a server of your own).',
  zh: '请设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY（自建服务用 OPENAI_BASE_URL）。',
}

export const addProvider: Text = {
  en: 'An administrator of the platform can add a model provider.',
  zh: '平台管理员可以添加模型服务商。',
}

export const platformIs = (kind: 'local' | 'remote', url: string, version: string): Text => ({
  en: `${kind === 'local' ? 'on this machine' : url}, version ${version}, ready`,
  zh: `${kind === 'local' ? '本机' : url}，版本 ${version}，就绪`,
})
export const platformAway = (told: string): Text => ({ en: told, zh: told })
export const lookInLog = (path: string): Text => ({
  en: `Look in the log ${path}; with --server check the address and the key.`,
  zh: `请查看日志 ${path}；使用 --server 时请检查地址和密钥。`,
})
export const notReady = (names: string): Text => ({
  en: `not ready: ${names}`,
  zh: `未就绪：${names}`,
})
export const waitOrLog: Text = {
  en: 'Wait a moment and try again.',
  zh: '请稍候再试。',
}
export const notChecked: Text = {
  en: 'not checked: the platform does not answer',
  zh: '未检查：平台没有响应',
}

export const noServers: Text = { en: 'none', zh: '无' }
export const serversAre = (running: number, total: number): Text => ({
  en: `${running} of ${total} connected`,
  zh: `已连接 ${running} / ${total}`,
})
export const serverFault = (name: string, told: string): Text => ({
  en: `${name}: ${told}`,
  zh: `${name}：${told}`,
})
export const seeMcp = (faults: string): Text => ({
  en: `${faults} /mcp list tells more, /mcp test NAME tries one.`,
  zh: `${faults} /mcp list 查看详情，/mcp test 名称 可测试。`,
})

export const clockIs = (seconds: number): Text => ({
  en: `${seconds} s from the platform's`,
  zh: `与平台相差 ${seconds} 秒`,
})
export const clockRuns: Text = { en: "as the platform's", zh: '与平台一致' }
export const setClock: Text = {
  en: 'Set the clock: certificates and sign-ins fail where it is wrong.',
  zh: '请校准时钟：时间错误会导致证书和登录失败。',
}
export const clockUnknown: Text = { en: 'not compared', zh: '未比较' }

export const noProxy: Text = { en: 'none set', zh: '未设置' }
export const proxyIs = (names: string): Text => ({ en: `set: ${names}`, zh: `已设置：${names}` })
export const exceptLoopback: Text = {
  en: 'Add localhost,127.0.0.1 to NO_PROXY: programs on this machine talk without a proxy.',
  zh: '请在 NO_PROXY 中加入 localhost,127.0.0.1：本机程序之间不经代理。',
}
