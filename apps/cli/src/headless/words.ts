import type { Text } from '../words/index.ts'

export const words = {
  noText: {
    en: 'Nothing to ask: dataagent run "…", or text through a pipe.',
    zh: '没有内容：dataagent run "…"，或通过管道输入文本。',
  },
  tooLong: (length: number, max: number): Text => ({
    en: `The text has ${length} characters; a message has at most ${max}. Put it into a file of the folder and ask about that.`,
    zh: `文本有 ${length} 个字符，单条消息最多 ${max} 个。请放入工作目录的文件中再提问。`,
  }),
  stdinSilent: {
    en: 'Nothing came through the pipe within 3 s: going on without. ("-" waits for it.)',
    zh: '3 秒内管道没有内容，忽略管道继续。（用“-”可一直等待。）',
  },
  badTimeout: (value: string): Text => ({
    en: `--timeout needs seconds above 0, not "${value}".`,
    zh: `--timeout 应为大于 0 的秒数，而不是“${value}”。`,
  }),
  twoSessions: {
    en: 'Only one of --session, --continue and --resume ID.',
    zh: '--session、--continue 与 --resume ID 只能使用一个。',
  },
  noLast: { en: 'There is no session to go on with.', zh: '没有可以继续的会话。' },
  auto: {
    en: 'Calls that ask are approved without a person (--approve auto). Denials hold, and what may do harm is still asked.',
    zh: '需要审批的调用将自动批准（--approve auto）。拒绝规则依然有效，可能有危害的调用仍需审批。',
  },
  denied: (tool: string): Text => ({
    en: `${tool} needs approval, and nobody is asked here: denied. To allow it:`,
    zh: `${tool} 需要审批，而此处无人可问：已拒绝。如需允许：`,
  }),
  waiting: (tool: string, url: string): Text => ({
    en: `${tool} waits for a person: ${url}`,
    zh: `${tool} 正在等待审批：${url}`,
  }),
  decided: (tool: string, isApproved: boolean): Text => ({
    en: `${tool} was ${isApproved ? 'approved' : 'rejected'}`,
    zh: `${tool} 已被${isApproved ? '批准' : '拒绝'}`,
  }),
  stopping: {
    en: 'Stopping the turn … (Ctrl-C again leaves at once)',
    zh: '正在停止……（再按一次 Ctrl-C 立即退出）',
  },
  timeout: (seconds: number): Text => ({
    en: `No answer within ${seconds} s: the turn was stopped.`,
    zh: `${seconds} 秒内没有回答：已停止。`,
  }),
  cancelled: { en: 'Cancelled.', zh: '已取消。' },
  rejected: { en: 'The turn ended because a call was rejected.', zh: '有调用被拒绝，本轮已结束。' },
  lost: (reason: string): Text => ({
    en: `The platform has ended: ${reason}`,
    zh: `平台已退出：${reason}`,
  }),
} as const
