import type { Text } from '../words/index.ts'

/** What the program itself says. */
export const words = {
  choiceHint: { en: '↑↓ choose · Enter take · Esc leave', zh: '↑↓ 选择 · Enter 确定 · Esc 返回' },
  textHint: { en: 'Enter take · Esc leave', zh: 'Enter 确定 · Esc 返回' },
  confirmHint: { en: 'y yes · n no', zh: 'y 是 · n 否' },
  notStarted: { en: 'The platform could not be started', zh: '平台未能启动' },
  notConnected: { en: 'There is no connection', zh: '未能连接' },
  startAgain: {
    en: 'Start dataagent again once that is mended.',
    zh: '解决后请重新启动 dataagent。',
  },
  tooLong: (length: number, max: number) => ({
    en: `The message is too long: ${length} characters, at most ${max} can be sent. Put it into a file and name that with @.`,
    zh: `消息过长：共 ${length} 个字符，最多 ${max} 个。请存为文件后用 @ 引用。`,
  }),
  lost: { en: 'The platform has ended', zh: '平台已停止' },
  lostAdvice: {
    en: 'The log says why. Start dataagent again to go on: nothing that was said is lost.',
    zh: '原因见日志。重新启动 dataagent 即可继续，已有对话不会丢失。',
  },
  again: { en: 'Ctrl+C once more leaves', zh: '再按一次 Ctrl+C 退出' },
  notSent: { en: 'The message was not sent', zh: '消息未能发送' },
  waitsForTurn: {
    en: 'That waits for the turn under way: it runs when it has ended, or press Esc to stop it.',
    zh: '该命令在当前轮次结束后执行；按 Esc 可停止当前轮次。',
  },
  working: { en: 'Working, Esc stops it', zh: '处理中，按 Esc 停止' },
  answeredElsewhere: { en: 'An approval was answered elsewhere', zh: '审批已在别处处理' },
  notDecided: { en: 'The decision was not taken', zh: '决定未能生效' },
  autoOn: {
    en: 'From now on everything that would be asked in this session is approved. What is denied stays denied.',
    zh: '从现在起，本会话中需要确认的操作都将自动批准；被禁止的仍然禁止。',
  },
  autoMessage: {
    en: 'Approved without asking, as chosen in the terminal',
    zh: '按终端中的选择自动批准',
  },
  autoHeldBack: {
    en: 'This session is set to approve by itself: what may do harm is asked all the same. /approve auto approves that too, /approve ask ends the setting.',
    zh: '本会话已设为自动批准；可能造成影响的操作仍会询问。/approve auto 可一并自动批准，/approve ask 关闭此设置。',
  },
  autoEnded: {
    en: 'This session approves nothing by itself any more, as was set elsewhere: you are asked again.',
    zh: '本会话的自动批准已在别处关闭，恢复逐项询问。',
  },
  autoOff: { en: 'You are asked again.', zh: '恢复逐项询问。' },
  autoQuestion: {
    en: 'Approve everything in this session without asking?\nTools can then change data and files at once. Deny rules still hold.',
    zh: '本会话中的所有操作都不再询问、直接批准？\n工具将可以立即修改数据和文件。禁止规则仍然有效。',
  },
  goOn: { en: 'go on with', zh: '继续请运行' },
  crashed: { en: 'dataagent failed unexpectedly', zh: 'dataagent 意外出错' },
  logAt: { en: 'The log is', zh: '日志文件' },
  remoteNoFiles: {
    en: 'MCP configuration files are not used with --server: its servers are its own (/mcp).',
    zh: '使用 --server 时不读取本机的 MCP 配置文件，服务器由远端管理（/mcp）。',
  },
  lineApproval: {
    en: 'y allow once · s this tool in this session · a everything in this session · n reject [reason]',
    zh: 'y 允许一次 · s 本会话中允许此工具 · a 本会话全部自动批准 · n 拒绝 [原因]',
  },
  nobodyAnswers: {
    en: 'Nobody is there to be asked any more: the input has ended',
    zh: '输入已结束，无人可询问',
  },
  noEditorHere: {
    en: 'Without a screen there is no editor: type the message here.',
    zh: '没有屏幕，无法打开编辑器，请直接输入消息。',
  },
} satisfies Record<string, Text | ((...numbers: never[]) => Text)>
