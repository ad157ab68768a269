import type { Completion } from '../input/index.ts'
import type { Command } from './contract.ts'
import { dataCommands } from './data/data-commands.ts'
import { mcpCommand } from './mcp/mcp-command.ts'

/** What each command is. What it does is loaded when it is asked for. */
export const commands: readonly Command[] = [
  {
    name: 'new',
    aliases: ['clear'],
    usage: '',
    group: 'session',
    about: { en: 'Begin a new session', zh: '开始新会话' },
    details: {
      en: 'The session that is open stays, and can be resumed.',
      zh: '当前会话会保留，可以恢复。',
    },
    whileRunning: false,
    run: (_, app) => app.open(undefined),
  },
  {
    name: 'sessions',
    usage: '[text]',
    group: 'session',
    about: { en: 'List your sessions and open one', zh: '列出会话并打开' },
    details: {
      en: 'With a text: those whose title or messages hold it.',
      zh: '附带文字时，只列出标题或消息包含该文字的会话。',
    },
    whileRunning: false,
    run: async (args, app) => (await import('./sessions/sessions.ts')).runSessions(args, app),
  },
  {
    name: 'resume',
    usage: '[id|title|last]',
    group: 'session',
    about: { en: 'Go on with an earlier session', zh: '恢复之前的会话' },
    details: {
      en: 'By its id, the beginning of its id or title, or the last one before this. Alone: goes on with the turn where the last one failed, else lists.',
      zh: '按 id、id 或标题的开头，或使用 last 恢复上一个会话。不带参数时：上一轮失败则继续该轮，否则列出会话。',
    },
    whileRunning: false,
    complete: async (words, app, signal) =>
      (await import('./sessions/resume.ts')).completeResume(words, app, signal),
    run: async (args, app) => (await import('./sessions/resume.ts')).runResume(args, app),
  },
  {
    name: 'export',
    usage: '[file] [md|json]',
    group: 'session',
    about: { en: 'Save this session as a file', zh: '将会话保存为文件' },
    details: {
      en: 'Into this folder: as Markdown to read, or as JSON with every event.',
      zh: '保存到当前文件夹：Markdown 供阅读，JSON 含全部事件。',
    },
    whileRunning: true,
    complete: among(['md', 'json']),
    run: async (args, app) => (await import('./sessions/export.ts')).runExport(args, app),
  },
  {
    name: 'compact',
    usage: '',
    group: 'session',
    about: { en: 'Summarise what was said, to make room', zh: '总结对话以腾出上下文' },
    details: {
      en: 'The model reads the summary from then on; you can still read all of it.',
      zh: '之后模型读取摘要；您仍可查看全部内容。',
    },
    whileRunning: false,
    waits: () => true,
    run: async (_, app) => (await import('./sessions/compact.ts')).runCompact(app),
  },
  {
    name: 'trace',
    usage: '',
    group: 'session',
    about: { en: 'What the last turn did, and when', zh: '上一轮的步骤与用时' },
    whileRunning: true,
    run: async (_, app) => (await import('./sessions/trace.ts')).runTrace(app),
  },
  {
    name: 'copy',
    usage: '',
    group: 'session',
    about: { en: 'Copy the last answer', zh: '复制最后的回答' },
    whileRunning: true,
    run: async (_, app) => (await import('./sessions/copy.ts')).runCopy(app),
  },
  ...dataCommands,
  {
    name: 'agent',
    aliases: ['agents'],
    usage: '[id]',
    group: 'agent',
    about: { en: 'List agents and change to one', zh: '列出并切换智能体' },
    details: { en: 'A session has one agent: this begins a new one.', zh: '切换会开始新会话。' },
    whileRunning: false,
    complete: async (words, app, signal) =>
      (await import('./agent/agent.ts')).completeAgent(words, app, signal),
    run: async (args, app) => (await import('./agent/agent.ts')).runAgent(args, app),
  },
  {
    name: 'model',
    aliases: ['models'],
    usage: '[name|default]',
    group: 'agent',
    about: { en: 'Which model answers; change it', zh: '查看或更改模型' },
    details: {
      en: 'The model belongs to the agent. Administrators change it, for all who use the agent.',
      zh: '模型属于智能体。由管理员更改，对使用该智能体的所有人生效。',
    },
    whileRunning: false,
    complete: async (words, app, signal) =>
      (await import('./agent/model.ts')).completeModel(words, app, signal),
    run: async (args, app) => (await import('./agent/model.ts')).runModel(args, app),
  },
  {
    name: 'memory',
    usage: '[show|forget N|clear]',
    group: 'agent',
    about: { en: 'What the agent remembers of you', zh: '智能体记住的内容' },
    details: {
      en: 'forget N removes the fact with that number of the list, clear all of them.',
      zh: 'forget N 删除列表中的第 N 条，clear 全部清除。',
    },
    whileRunning: true,
    complete: among(['show', 'forget', 'clear']),
    run: async (args, app) => (await import('./agent/memory.ts')).runMemory(args, app),
  },
  {
    name: 'files',
    usage: '[path]',
    group: 'agent',
    about: { en: "The agent's files; show one", zh: '查看智能体的文件' },
    whileRunning: true,
    complete: async (words, app, signal) =>
      (await import('./agent/files.ts')).completeFiles(words, app, signal),
    run: async (args, app) => (await import('./agent/files.ts')).runFiles(args, app),
  },
  mcpCommand,
  {
    name: 'tools',
    usage: '[text]',
    group: 'tools',
    about: { en: 'Tools by server; find one', zh: '按服务器列出或查找工具' },
    details: {
      en: 'With the name of a tool: what it does, takes and costs, and whether it asks.',
      zh: '附带工具名时，显示其说明、参数、开销以及是否需要审批。',
    },
    whileRunning: true,
    complete: async (words, app, signal) =>
      (await import('./tools/tools.ts')).completeTools(words, app, signal),
    run: async (args, app) => (await import('./tools/tools.ts')).runTools(args, app),
  },
  {
    name: 'approve',
    usage: '[ask|auto]',
    group: 'tools',
    about: { en: 'Ask before tools run, or not', zh: '工具运行前是否询问' },
    details: {
      en: 'auto approves what would be asked in this session. What is denied stays denied.',
      zh: 'auto 自动批准本会话中需询问的操作；被拒绝的仍然拒绝。',
    },
    whileRunning: true,
    complete: among(['ask', 'auto']),
    run: async (args, app) => (await import('./tools/approve.ts')).runApprove(args, app),
  },
  {
    name: 'policy',
    usage: '[tool]',
    group: 'tools',
    about: { en: 'Which rule decides about a tool', zh: '由哪条规则决定某工具' },
    whileRunning: true,
    complete: async (words, app, signal) =>
      (await import('./tools/tools.ts')).completeTools(words, app, signal),
    run: async (args, app) => (await import('./tools/policy.ts')).runPolicy(args, app),
  },
  {
    name: 'cost',
    aliases: ['tokens'],
    usage: '',
    group: 'use',
    about: { en: 'Tokens and cost, here and today', zh: '本会话与今日的用量和费用' },
    whileRunning: true,
    run: async (_, app) => (await import('./sessions/cost.ts')).runCost(app),
  },
  {
    name: 'context',
    usage: '',
    group: 'use',
    about: { en: 'What fills the context of the model', zh: '模型上下文的占用' },
    whileRunning: true,
    run: async (_, app) => (await import('./sessions/context.ts')).runContext(app),
  },
  {
    name: 'help',
    aliases: ['?'],
    usage: '[command]',
    group: 'program',
    about: { en: 'This list, or more on one command', zh: '命令列表或某命令的说明' },
    whileRunning: true,
    complete: async (words) => commandNames(words),
    run: async (args, app) => (await import('./help/help.ts')).runHelp(args, app, commands),
  },
  {
    name: 'keys',
    usage: '',
    group: 'program',
    about: { en: 'What the keys do', zh: '按键说明' },
    whileRunning: true,
    run: async (_, app) => (await import('./help/keys.ts')).runKeys(app),
  },
  {
    name: 'theme',
    usage: '[dark|light|mono]',
    group: 'program',
    about: { en: 'Choose the colours', zh: '选择配色' },
    whileRunning: true,
    complete: among(['dark', 'light', 'mono']),
    run: async (args, app) => (await import('./program/theme.ts')).runTheme(args, app),
  },
  {
    name: 'lang',
    usage: '[en|zh]',
    group: 'program',
    about: { en: 'Choose the language', zh: '选择语言' },
    whileRunning: true,
    complete: among(['en', 'zh']),
    run: async (args, app) => (await import('./program/lang.ts')).runLang(args, app),
  },
  {
    name: 'editor',
    usage: '',
    group: 'program',
    about: { en: 'Write the next message in your editor', zh: '用外部编辑器撰写消息' },
    details: { en: 'That of VISUAL or EDITOR.', zh: '由 VISUAL 或 EDITOR 指定。' },
    whileRunning: true,
    run: (_, app) => app.openEditor(),
  },
  {
    name: 'doctor',
    usage: '',
    group: 'program',
    about: { en: 'Check that everything is in order', zh: '检查各项是否正常' },
    whileRunning: true,
    run: async (_, app) => (await import('./program/doctor.ts')).runDoctorCommand(app),
  },
  {
    name: 'quit',
    aliases: ['exit', 'q'],
    usage: '',
    group: 'program',
    about: { en: 'Leave', zh: '退出' },
    whileRunning: true,
    run: async (_, app) => app.quit(),
  },
]

function among(values: readonly string[]): (words: string) => Promise<Completion[]> {
  return async (words) =>
    values
      .filter((value) => value.startsWith(lastWord(words)))
      .map((value) => ({ value, label: value }))
}

const lastWord = (words: string) => words.split(/\s+/).at(-1) ?? ''

function commandNames(words: string): Completion[] {
  return commands
    .filter(({ name }) => name.startsWith(words))
    .map(({ name }) => ({ value: name, label: name }))
}
