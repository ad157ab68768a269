import { oneOf, wholeNumber } from './field.ts'

/** Conversations: how many at once, and how long they last. */
export const turnSettings = {
  session_timeout: wholeNumber(1, 315_360_000, 3600, {
    group: 'turns',
    about: {
      en: 'Seconds after which what an idle session holds in memory is let go',
      zh: '空闲会话占用的内存在多久后释放（秒）',
    },
  }),
  session_keep_days: wholeNumber(1, 36_500, 90, {
    group: 'turns',
    about: {
      en: 'Days that the history of an idle session is kept',
      zh: '空闲会话的历史保留天数',
    },
  }),
  max_running_turns: wholeNumber(1, 100_000, 200, {
    group: 'turns',
    about: {
      en: 'Turns that run at once per process; a turn that waits for a person does not count',
      zh: '每个进程同时运行的对话轮次上限；等待人工处理的不计入',
    },
  }),
  max_waiting_turns: wholeNumber(0, 1_000_000, 1000, {
    group: 'turns',
    about: {
      en: 'Turns that may wait for their turn per process; beyond that the answer is 503',
      zh: '每个进程排队等待的轮次上限；超出时返回 503',
    },
  }),
  reconnect_window: wholeNumber(0, 86_400, 60, {
    group: 'turns',
    about: {
      en: 'Seconds that a run goes on after its last reader has gone; 0: on_disconnect at once',
      zh: '最后一个接收者断开后继续运行的时间（秒）；0 表示立即按 on_disconnect 处理',
    },
  }),
  on_disconnect: oneOf(['cancel', 'finish'], 'cancel', {
    group: 'turns',
    about: {
      en: 'What becomes of a run that nobody reads once the reconnect window is over',
      zh: '重连窗口结束后无人接收的运行：cancel 取消，finish 继续完成',
    },
  }),
  approval_timeout: wholeNumber(1, 604_800, 300, {
    group: 'turns',
    about: {
      en: 'Seconds that a person has to approve a call; without an answer it is rejected',
      zh: '人工审批的时限（秒）；超时视为拒绝',
    },
  }),
  ws_max_sockets_per_user: wholeNumber(1, 100_000, 50, {
    group: 'turns',
    about: {
      en: 'WebSockets that one user may have open at once, in each process',
      zh: '每个用户在每个进程中同时打开的 WebSocket 上限',
    },
  }),
  mcp_servers_per_user: wholeNumber(0, 10_000, 5, {
    group: 'turns',
    about: {
      en: 'MCP servers that one user may add',
      zh: '每个用户可添加的 MCP 服务器数量',
    },
  }),
  mcp_tools_per_server: wholeNumber(1, 100_000, 2_000, {
    group: 'turns',
    about: {
      en: 'Tools of one MCP server that are taken over, those that it had before included',
      zh: '每个 MCP 服务器最多接入的工具数量（包括曾经提供过的工具）',
    },
  }),
  mcp_reconnect_first_ms: wholeNumber(1, 60_000, 250, {
    group: 'turns',
    about: {
      en: 'Milliseconds before an MCP server that was lost is tried again; each further wait is twice as long',
      zh: 'MCP 服务器断开后首次重连前的等待时间（毫秒）；之后每次加倍',
    },
  }),
  mcp_reconnect_max_ms: wholeNumber(1, 3_600_000, 60_000, {
    group: 'turns',
    about: {
      en: 'Longest wait between two attempts to reach an MCP server, in milliseconds',
      zh: 'MCP 服务器两次重连之间的最长等待时间（毫秒）',
    },
  }),
  default_tools: oneOf(['all', 'none'], 'all', {
    group: 'turns',
    about: {
      en: 'What an agent without an allow-list may use: all tools that its user may, or none',
      zh: '未设置允许列表的智能体可用的工具：all 为其用户可用的全部，none 为无',
    },
  }),
  samples: oneOf(['auto', 'on', 'off'], 'auto', {
    group: 'turns',
    about: {
      en: 'Samples to try the product with, shared in the tenant default: the MCP servers mall and clinic, and the data source retail: auto registers them at the first start where all of access, storage and workers is as by default; on in any case; off never, and switches off those that are there. What an administrator deletes does not come back',
      zh: '供试用的示例，在租户 default 中共享：MCP 服务器 mall、clinic 和数据源 retail：auto 仅在访问、存储和进程均为默认设置的首次启动时注册；on 总是注册；off 不注册，并停用已有的。管理员删除后不会再出现',
    },
  }),
}
