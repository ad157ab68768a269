import type { SessionStatus } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'

export const chooseSession: Text = { en: 'Open which session?', zh: '打开哪个会话？' }
export const noSessions: Text = {
  en: 'There are no sessions yet. Type a message to begin one.',
  zh: '还没有会话。输入消息即可开始。',
}
export const noneFound = (text: string): Text => ({
  en: `No session holds “${text}”. /sessions lists all of them.`,
  zh: `没有会话包含“${text}”。/sessions 列出全部会话。`,
})
export const moreSessions = (left: number): Text => ({
  en: `older ones (${left}) …`,
  zh: `更早的（${left}）…`,
})
export const untitled: Text = { en: '(no title)', zh: '（无标题）' }
export const isOpenAlready: Text = { en: 'It is open already.', zh: '该会话已打开。' }
export const openNow: Text = { en: 'open now', zh: '当前' }
export const nothingLeft: Text = {
  en: 'The turn that failed cannot be gone on with: send the message again. /sessions lists your sessions.',
  zh: '失败的轮次无法继续，请重新发送消息。/sessions 列出全部会话。',
}
export const noOther: Text = {
  en: 'There is no earlier session to resume.',
  zh: '没有更早的会话可恢复。',
}

export const statusNames: Readonly<Record<SessionStatus, Text | undefined>> = {
  idle: undefined,
  running: { en: 'running', zh: '运行中' },
  waiting_approval: { en: 'waiting for you', zh: '等待您处理' },
  error: { en: 'ended in an error', zh: '以错误结束' },
}

export const compacting: Text = { en: 'Summarising …', zh: '正在总结…' }
export const compacted = (before: string, after: string): Text => ({
  en: `Summarised: about ${before} tokens are now ${after}.`,
  zh: `已总结：约 ${before} 个token变为 ${after}。`,
})
export const nothingToCompact: Text = {
  en: 'There is too little in this session for a summary to save anything.',
  zh: '会话内容较少，无需总结。',
}
export const busyNow: Text = {
  en: 'A turn is under way: wait for its end or stop it with Esc, then try again.',
  zh: '本轮正在进行：请等待结束或按 Esc 停止后重试。',
}

export const contextOf = (model: string, used: string, window: string): Text => ({
  en: `${model}: about ${used} of ${window} tokens`,
  zh: `${model}：约 ${used} / ${window} 个 token`,
})
export const contextParts: Readonly<Record<'system' | 'tools' | 'history' | 'free', Text>> = {
  system: { en: 'system prompt', zh: '系统提示' },
  tools: { en: 'tools', zh: '工具' },
  history: { en: 'messages', zh: '对话' },
  free: { en: 'free', zh: '剩余' },
}
export const roomIsShort: Text = {
  en: 'Little room is left: /compact summarises what was said.',
  zh: '剩余空间不多：/compact 可总结对话。',
}

export const thisSession: Text = { en: 'This session', zh: '本会话' }
export const today: Text = { en: 'Today', zh: '今日' }
export const nothingSpent: Text = { en: 'nothing yet', zh: '暂无' }
export const tokensByTurn: Text = { en: 'tokens by turn', zh: '每轮 token' }
export const costColumns: readonly Text[] = [
  { en: 'model', zh: '模型' },
  { en: 'turns', zh: '轮次' },
  { en: 'in', zh: '输入' },
  { en: 'cached', zh: '缓存' },
  { en: 'out', zh: '输出' },
  { en: 'cost', zh: '费用' },
]
export const noPrices: Text = {
  en: 'No cost is shown for models without a configured price.',
  zh: '未配置价格的模型不显示费用。',
}
export const onlySome = (count: number): Text => ({
  en: `Of the last ${count} turns.`,
  zh: `仅统计最近 ${count} 轮。`,
})

export const lastTurn = (started: string, took: string): Text => ({
  en: `Turn of ${started}, ${took}`,
  zh: `${started} 的一轮，用时 ${took}`,
})
export const stillRunning: Text = { en: 'still running', zh: '进行中' }
export const traceIs: Text = { en: 'trace', zh: '追踪' }
export const noTrace: Text = {
  en: 'no tool has run: no trace id is recorded',
  zh: '没有运行工具，没有追踪编号',
}
export const traceNotYet: Text = {
  en: 'its calls are not in the audit yet: try again in a moment',
  zh: '调用尚未写入审计，请稍后再试',
}
export const spansGo = (endpoint: string): Text => ({
  en: `Spans go to ${endpoint}.`,
  zh: `追踪数据发送到 ${endpoint}。`,
})
export const spansGoNowhere = (env: string): Text => ({
  en: `Spans are not sent: ${env} is not set.`,
  zh: `未发送追踪数据：未设置 ${env}。`,
})

export const copied = (length: string): Text => ({
  en: `Copied ${length} characters, if your terminal allows programs to (OSC 52).`,
  zh: `已复制 ${length} 个字符（需终端支持 OSC 52）。`,
})
export const cannotCopy: Text = {
  en: 'This terminal takes no clipboard from programs, or the answer is too long: /export saves it.',
  zh: '此终端不支持写入剪贴板，或内容过长：可用 /export 保存。',
}
export const noAnswer: Text = { en: 'There is no answer to copy yet.', zh: '还没有可复制的回答。' }
