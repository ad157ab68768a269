import { anyText, oneOf, onOff, text, wholeNumber } from './field.ts'
import { isWebUrl } from './value-checks.ts'

/** Those that a client may begin with; 2026-07-28 has no beginning. */
const protocolVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const

const webUrl = { en: 'an http:// or https:// URL', zh: 'http:// 或 https:// 网址' }

/** The tools as an MCP server for others: what it says of itself, whom it lets in, how often. */
export const gatewaySettings = {
  gateway: onOff(true, {
    group: 'gateway',
    about: {
      en: 'Offer tool groups to MCP clients such as Dify, Claude Desktop and Cursor',
      zh: '将工具组提供给 Dify、Claude Desktop、Cursor 等 MCP 客户端',
    },
  }),
  mcp_protocol_version: oneOf(protocolVersions, '2024-11-05', {
    group: 'gateway',
    env: 'MCP_PROTOCOL_VERSION',
    about: {
      en: 'Version that initialize answers on /api/v1/mcp/jsonrpc; the other endpoints agree on one with each client',
      zh: '/api/v1/mcp/jsonrpc 的 initialize 所返回的协议版本；其他端点与各客户端协商',
    },
  }),
  mcp_server_name: text(anyText.max(200), 'DataAgent', {
    expected: { en: 'a name of up to 200 characters', zh: '不超过 200 个字符的名称' },
    group: 'gateway',
    env: 'MCP_SERVER_NAME',
    about: {
      en: 'Name under which MCP clients and the authorisation page show this server',
      zh: 'MCP 客户端和授权页面显示的服务器名称',
    },
  }),
  mcp_server_identifier: text(anyText.regex(/^[A-Za-z0-9._-]{1,100}$/), 'dataagent', {
    expected: {
      en: 'up to 100 letters, digits, dots, underscores and dashes',
      zh: '不超过 100 个字母、数字、点、下划线或连字符',
    },
    group: 'gateway',
    env: 'MCP_SERVER_IDENTIFIER',
    about: {
      en: 'Identifier that this server gives MCP clients for programs to tell it from others',
      zh: '服务器标识符，供 MCP 客户端程序识别',
    },
  }),
  mcp_auth_base_url: text(anyText.refine(isWebUrl), undefined, {
    expected: webUrl,
    group: 'gateway',
    env: 'MCP_AUTH_BASE_URL',
    about: {
      en: 'Authorisation page as browsers reach it, where that is not under the public URL; without a path /mcp/oauth/authorize is added',
      zh: '浏览器访问授权页面的地址（与对外地址不同时设置）；不含路径时自动补上 /mcp/oauth/authorize',
    },
    shownDefault: {
      en: '/mcp/oauth/authorize under the public URL',
      zh: '对外地址下的 /mcp/oauth/authorize',
    },
  }),
  mcp_oauth_redirect_uri: text(anyText.refine(isWebUrl), undefined, {
    expected: webUrl,
    group: 'gateway',
    env: 'MCP_OAUTH_REDIRECT_URI',
    about: {
      en: 'Callback of a client that does not register itself; its client_id is dify',
      zh: '不自行注册的客户端的回调地址；其 client_id 为 dify',
    },
    shownDefault: { en: 'none: there is no such client', zh: '无：没有这样的客户端' },
  }),
  mcp_session_ttl_seconds: wholeNumber(60, 2_592_000, 3600, {
    group: 'gateway',
    env: 'MCP_SESSION_TTL_SECONDS',
    about: {
      en: 'Seconds that a sessionToken (access token) holds',
      zh: 'sessionToken（访问令牌）的有效期（秒）',
    },
  }),
  mcp_rl_enabled: onOff(true, {
    group: 'gateway',
    env: 'MCP_RL_ENABLED',
    about: { en: 'Limit how often a group may list and call', zh: '是否限制工具组的调用频率' },
  }),
  mcp_rl_window_seconds: wholeNumber(1, 86_400, 60, {
    group: 'gateway',
    env: 'MCP_RL_WINDOW_SECONDS',
    about: { en: 'Seconds in which the limits count', zh: '频率限制的时间窗口（秒）' },
  }),
  mcp_rl_list_limit: wholeNumber(1, 1_000_000, 120, {
    group: 'gateway',
    env: 'MCP_RL_LIST_LIMIT',
    about: { en: 'tools/list within one window', zh: '每个窗口内 tools/list 的次数上限' },
  }),
  mcp_rl_call_limit: wholeNumber(1, 1_000_000, 240, {
    group: 'gateway',
    env: 'MCP_RL_CALL_LIMIT',
    about: {
      en: 'tools/call of one tool within one window',
      zh: '每个窗口内同一工具 tools/call 的次数上限',
    },
  }),
  gateway_registration: onOff(true, {
    group: 'gateway',
    about: {
      en: 'Let MCP clients register themselves, so that pasting the URL is enough',
      zh: '允许 MCP 客户端自行注册，粘贴网址即可连接',
    },
  }),
  gateway_open_discovery: onOff(false, {
    group: 'gateway',
    about: {
      en: 'Open the stream of /api/v1/mcp/jsonrpc before authorisation',
      zh: '授权之前即可打开 /api/v1/mcp/jsonrpc 的事件流',
    },
  }),
  gateway_hold_seconds: wholeNumber(0, 3600, 50, {
    group: 'gateway',
    about: {
      en: 'Seconds that a call from outside waits for a person to approve it; then it is told to come again',
      zh: '外部调用等待人工审批的时间（秒）；超时后提示稍后重试',
    },
  }),
  gateway_message_bytes: wholeNumber(1024, 1_073_741_824, 4_194_304, {
    group: 'gateway',
    about: {
      en: 'Largest message of an MCP client in bytes',
      zh: 'MCP 客户端单条消息的上限（字节）',
    },
  }),
}
