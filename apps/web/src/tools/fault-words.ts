import type { ServerFault } from '@dataagent/schema'
import { defineWords } from '../words/words.ts'

interface FaultWords {
  /** What the server says in its own words is English: other languages have theirs. */
  faults: Partial<Record<ServerFault, string>>
  original: string
}

export const faultWords = defineWords<FaultWords>({
  en: { faults: {}, original: 'In the words of the server' },
  zh: {
    faults: {
      connecting: '正在连接。',
      unreachable: '无法连接。请检查地址，并确认服务已启动且能从这里访问。',
      timeout: '没有及时响应。请确认服务正常，或调大超时时间。',
      credentials: '服务拒绝了凭据。请检查请求头中的令牌或密码。',
      needs_credentials: '需要你自己的凭据。请在“访问”中填写。',
      sign_in: '需要登录该服务。请登录后重新连接。',
      not_found: '该地址上没有 MCP 服务。请检查 URL 的路径。',
      server_error: '服务内部出错。请查看该服务的日志。',
      address_denied: '不允许访问该地址。请联系管理员放行。',
      start: '命令无法启动。请检查命令、参数和环境变量。',
      closed: '服务断开了连接。请查看该服务的日志。',
      protocol: '对方的回答不符合 MCP。请确认地址或命令属于 MCP 服务。',
      schemas: '部分工具的参数定义无法使用。请联系服务的作者修正。',
      quota: '连接数已达上限，稍后会自动重试。',
    },
    original: '原文',
  },
})
