import type { Text } from '../words/index.ts'

export const flagWords = {
  server: {
    en: 'Use the platform at this address, not one of this machine (DATAAGENT_SERVER)',
    zh: '使用该地址的平台，而不是在本机启动（DATAAGENT_SERVER）',
  },
  apiKeyFile: {
    en: 'Read the API key for --server from this file (else DATAAGENT_API_KEY)',
    zh: '从该文件读取 --server 的 API Key（否则读取 DATAAGENT_API_KEY）',
  },
  apiKey: {
    en: 'The API key itself; other users of this machine can see it, so prefer the two above',
    zh: '直接给出 API Key；本机其他用户可见，建议改用上面两种方式',
  },
  agent: { en: 'The agent to talk with', zh: '要对话的智能体' },
  mcpConfig: {
    en: 'Also use the MCP servers of this file; may be repeated',
    zh: '同时使用该文件中的 MCP 服务器；可重复',
  },
  trustProjectMcp: {
    en: "Use the MCP servers of the folder's own files without asking",
    zh: '直接使用工作目录中配置的 MCP 服务器，不再询问',
  },
  folder: {
    en: 'The folder that the agent works in; default: the current one',
    zh: '智能体的工作目录；默认为当前目录',
  },
  dataDir: {
    en: 'Where the platform of this machine keeps its data',
    zh: '本机平台的数据目录',
  },
  lang: { en: 'Language of everything that is said', zh: '界面语言' },
  theme: { en: 'Colours', zh: '配色' },
  resume: {
    en: 'Open this session; without an id, choose one from a list',
    zh: '打开该会话；不给 ID 时从列表中选择',
  },
  continue: { en: 'Go on with the session that was used last', zh: '继续最近使用的会话' },
  plain: {
    en: 'Lines of text only: no live area, for screen readers and simple terminals',
    zh: '仅输出文本行，无动态区域，适合读屏软件和简单终端',
  },
  help: { en: 'Show this help', zh: '显示帮助' },
  version: { en: 'Show the version', zh: '显示版本' },
  output: {
    en: 'text: the answer; json: one object; ndjson: every event as it comes',
    zh: 'text：仅回答；json：一个对象；ndjson：逐条输出事件',
  },
  events: {
    en: 'With --output json: also all events of the turn',
    zh: '与 --output json 同用：同时输出本轮全部事件',
  },
  session: { en: 'Go on with this session', zh: '继续该会话' },
  approve: {
    en: 'What happens to calls that ask: never (default): denied; policy: they wait for a person elsewhere; auto: approved',
    zh: '需要审批的调用：never（默认）拒绝；policy 等待他人在别处审批；auto 自动批准',
  },
  timeout: { en: 'Stop after so many seconds', zh: '超过该秒数即停止' },
  quiet: { en: 'No progress on standard error', zh: '不在标准错误输出进度' },
  json: { en: 'As JSON', zh: '输出 JSON' },
  limit: { en: 'At most so many; default 20', zh: '最多条数；默认 20' },
  search: {
    en: 'Only those whose title or messages hold this',
    zh: '仅标题或消息包含该文本的会话',
  },
  format: { en: 'Format of the export; default markdown', zh: '导出格式；默认 markdown' },
  toFile: { en: 'Write to this file; it must not exist', zh: '写入该文件；文件不得已存在' },
  mcpName: { en: 'Name of what is pasted', zh: '所粘贴服务器的名称' },
  mcpEnv: { en: 'A variable for the command', zh: '传给命令的环境变量' },
  mcpHeader: { en: 'A header for the address', zh: '发往该地址的请求头' },
  mcpAll: { en: 'All that were found', zh: '导入找到的全部服务器' },
  yes: { en: 'Do not ask', zh: '不再询问' },
  dataSqlite: { en: 'Serve this SQLite database', zh: '提供该 SQLite 数据库' },
  dataDuckdb: { en: 'Serve this DuckDB database', zh: '提供该 DuckDB 数据库' },
  dataUrl: {
    en: 'Serve this database: mysql://… or postgres://…; with a password prefer DATAAGENT_DATA_URL',
    zh: '提供该数据库：mysql://… 或 postgres://…；含密码时建议使用 DATAAGENT_DATA_URL',
  },
  dataName: { en: 'What the source is called', zh: '数据源的名称' },
  dataOutput: {
    en: 'Where exports go; default: outputs in the current folder',
    zh: '导出文件的目录；默认为当前目录的 outputs',
  },
  harborUrl: { en: 'The same as --server', zh: '同 --server' },
  harborConcurrency: {
    en: 'So many ask at once; with --rate, at the most. Default 4, with --rate 100',
    zh: '同时提问的数量；使用 --rate 时为上限。默认 4，使用 --rate 时为 100',
  },
  harborRate: {
    en: 'Begin so many questions in a second, whether or not earlier ones were answered',
    zh: '每秒开始的提问数，不等待之前的回答',
  },
  harborDuration: {
    en: 'Ask for so long, from the first question again after the last',
    zh: '持续提问的秒数；问完后从头再问',
  },
  harborRamp: { en: 'Take so long to reach the full load', zh: '在该秒数内逐步升至满负载' },
  harborWarmUp: {
    en: 'What is asked in the first seconds is not counted',
    zh: '最初若干秒内的提问不计入结果',
  },
  harborAttempts: { en: 'Ask each question so often; default 1', zh: '每个问题提问的次数；默认 1' },
  harborTransport: { en: 'How questions are sent; default rest', zh: '提问方式；默认 rest' },
  harborApprove: {
    en: 'What happens to calls that ask: never (default): the turn ends; policy: the agent is told; auto: approved',
    zh: '需要审批的调用：never（默认）结束本轮；policy 告知智能体已被拒绝；auto 自动批准',
  },
  harborTimeout: {
    en: 'A later answer is a timeout; default 120. A question may say otherwise',
    zh: '超过该秒数的回答视为超时；默认 120。问题可自行指定',
  },
  harborFilter: {
    en: 'Only these questions; may be repeated',
    zh: '仅提问符合条件的问题；可重复',
  },
  harborOut: {
    en: 'Where the files go; default harbor-runs/NAME-TIME. --resume DIR goes on with one',
    zh: '结果目录；默认 harbor-runs/名称-时间。--resume 目录 可继续中断的评测',
  },
  harborBaseline: {
    en: 'Compare with the report of an earlier run',
    zh: '与之前的报告比较',
  },
  harborFormat: {
    en: 'Which files to write, by commas; default all',
    zh: '写入哪些文件，以逗号分隔；默认全部',
  },
  harborFailUnder: {
    en: 'Exit with 1 where less than this share has passed; without, where anything has not',
    zh: '通过率低于该百分比时以 1 退出；未给出时只要有未通过即以 1 退出',
  },
  harborSqlSource: {
    en: 'The source of data that expected_sql is run on',
    zh: '执行 expected_sql 的数据源',
  },
  harborHtml: { en: 'Write a page to this file', zh: '将网页报告写入该文件' },
  harborJunit: { en: 'Write JUnit XML to this file', zh: '将 JUnit XML 写入该文件' },
  harborAs: { en: 'What to write; default promptfoo', zh: '目标格式；默认 promptfoo' },
} as const satisfies Record<string, Text>

export const commandWords = {
  run: {
    en: 'Ask once, print the answer, end. Also takes text from a pipe',
    zh: '提问一次，输出回答后结束；也可从管道读取文本',
  },
  serve: {
    en: 'Run the platform in the foreground, with its own flags',
    zh: '在前台运行平台，参数为平台自身参数',
  },
  mcp: { en: 'See and change MCP servers', zh: '查看和管理 MCP 服务器' },
  mcpList: { en: 'Show the servers and how they are', zh: '列出服务器及其状态' },
  mcpAdd: { en: 'Add a server', zh: '添加服务器' },
  mcpTest: { en: 'Connect to a server, step by step', zh: '逐步测试连接' },
  mcpImport: {
    en: 'Take over servers of other programs',
    zh: '从其他程序的配置导入服务器',
  },
  mcpLogin: { en: 'Sign in at a server', zh: '登录服务器' },
  mcpEnable: { en: 'Switch a server on', zh: '启用服务器' },
  mcpDisable: { en: 'Switch a server off', zh: '停用服务器' },
  mcpRemove: { en: 'Remove a server of your own', zh: '删除自己的服务器' },
  mcpReload: { en: 'Read the files again, ask again', zh: '重新读取配置文件并再次询问' },
  mcpData: {
    en: 'Serve data to any MCP client, over standard input and output',
    zh: '通过标准输入输出向任意 MCP 客户端提供数据',
  },
  sessions: { en: 'See and manage sessions', zh: '查看和管理会话' },
  sessionsList: { en: 'List them, the last used first', zh: '列出会话，最近使用的在前' },
  sessionsShow: { en: 'Print what was said in one', zh: '输出会话内容' },
  sessionsExport: { en: 'Export one, whole', zh: '导出整个会话' },
  sessionsRename: { en: 'Give one another title', zh: '修改会话标题' },
  sessionsDelete: { en: 'Delete sessions', zh: '删除会话' },
  harbor: {
    en: 'Measure an agent: ask a file of questions, check the answers, put it under load',
    zh: '评测智能体：按问题文件提问、核对回答、施加负载',
  },
  harborRun: { en: 'Ask the questions, write the report', zh: '提问并写出报告' },
  harborCheck: { en: 'Only read a file of questions', zh: '仅检查问题文件' },
  harborReport: { en: 'Show a report again, or in another form', zh: '重新查看或转换报告' },
  harborCompare: { en: 'Put two reports side by side', zh: '比较两份报告' },
  harborConvert: {
    en: 'Write questions in another form; promptfoo files are read too',
    zh: '转换问题文件；也可读取 promptfoo 文件',
  },
  doctor: {
    en: 'Check this machine and the platform, and say what to mend',
    zh: '检查本机与平台，并说明如何修复',
  },
  init: {
    en: 'First steps: model keys, MCP servers, what is next',
    zh: '首次使用：模型密钥、MCP 服务器与后续步骤',
  },
  completions: { en: 'Print completions for a shell', zh: '输出 Shell 补全脚本' },
  help: { en: 'Explain a command', zh: '查看命令说明' },
} as const satisfies Record<string, Text>

export const noteWords = {
  exitCodes: {
    en: 'Exit codes: 0 answered · 1 error · 2 wrong command line · 3 rejected, or needs approval · 4 timeout · 130 cancelled. Ctrl-C stops the turn at the platform; twice leaves at once.',
    zh: '退出码：0 成功 · 1 出错 · 2 命令行有误 · 3 被拒绝或需要审批 · 4 超时 · 130 已取消。按一次 Ctrl-C 停止平台上的本轮任务，按两次立即退出。',
  },
  harborExitCodes: {
    en: 'Exit codes of run: 0 all as wanted · 1 some have not passed, or less than --fail-under · 2 wrong command line or questions · 130 interrupted. Ctrl-C ends gently, with a report of what there is; twice leaves at once. compare: 1 where it has become worse.',
    zh: 'run 的退出码：0 符合要求 · 1 有未通过，或通过率低于 --fail-under · 2 命令行或问题文件有误 · 130 已中断。按一次 Ctrl-C 平稳结束并写出已有结果的报告，按两次立即退出。compare：变差时为 1。',
  },
  stdin: {
    en: 'Text from a pipe is added after the words; "-" reads it alone.',
    zh: '管道中的文本附加在参数文本之后；"-" 表示只读取管道。',
  },
  mcpDataFolder: {
    en: '--folder DIR serves the CSV, TSV, JSON, Parquet and Excel files of a folder. An address may be in DATAAGENT_DATA_URL, where no list of processes shows its password.',
    zh: '--folder 目录 提供该目录中的 CSV、TSV、JSON、Parquet 和 Excel 文件。地址也可放在 DATAAGENT_DATA_URL 中，进程列表不会显示其密码。',
  },
  mcpDataEnds: {
    en: 'Standard input and output belong to the MCP client that starts it; the log is on standard error. It ends with its client.',
    zh: '标准输入输出用于与启动它的 MCP 客户端通信，日志写到标准错误。客户端结束时它也结束。',
  },
  stdout: {
    en: 'Standard output holds the answer and the tables that it cites; progress and warnings go to standard error.',
    zh: '标准输出只有回答及其引用的数据表；进度和警告写到标准错误。',
  },
  completions: {
    en: 'bash: dataagent completions bash > ~/.local/share/bash-completion/completions/dataagent\nzsh:  dataagent completions zsh > "$fpath[1]/_dataagent"\nfish: dataagent completions fish > ~/.config/fish/completions/dataagent.fish',
    zh: 'bash：dataagent completions bash > ~/.local/share/bash-completion/completions/dataagent\nzsh： dataagent completions zsh > "$fpath[1]/_dataagent"\nfish：dataagent completions fish > ~/.config/fish/completions/dataagent.fish',
  },
} as const satisfies Record<string, Text>

export const exampleWords = {
  interactive: { en: 'open the agent in this folder', zh: '在当前目录打开智能体' },
  continue: { en: 'go on where you were', zh: '从上次的位置继续' },
  remote: { en: 'use a platform elsewhere', zh: '使用远程平台' },
  run: { en: 'one question, one answer', zh: '一问一答' },
  pipe: { en: 'with the text of a pipe', zh: '附带管道中的文本' },
  jsonOutput: { en: 'for scripts', zh: '供脚本使用' },
  runAuto: { en: 'what would be asked is approved', zh: '需要审批的调用自动批准' },
  serve: { en: 'on another port', zh: '使用其他端口' },
  mcpAdd: { en: 'a server that is a program', zh: '以命令启动的服务器' },
  mcpTest: { en: 'why does it not connect?', zh: '排查连接问题' },
  mcpDataFolder: { en: 'files of a folder', zh: '目录中的文件' },
  mcpDataFile: { en: 'a database that is a file', zh: '单文件数据库' },
  mcpDataUrl: { en: 'that of DATAAGENT_DATA_URL', zh: '由 DATAAGENT_DATA_URL 指定' },
  search: { en: 'find one', zh: '查找会话' },
  exportFile: { en: 'into a file', zh: '导出到文件' },
  init: { en: 'step by step', zh: '逐步引导' },
  initYes: { en: 'without questions', zh: '不询问' },
  doctor: { en: 'for scripts', zh: '供脚本使用' },
  completionsNow: { en: 'in this shell, at once', zh: '在当前 Shell 立即生效' },
  help: { en: 'how to run headless', zh: '了解非交互运行' },
  harborRun: { en: 'on a platform of this machine', zh: '在本机平台上评测' },
  harborRemote: { en: 'a server, eight at once', zh: '远程服务器，8 个并发' },
  harborRate: { en: 'five a second, for a minute', zh: '每秒 5 个，持续一分钟' },
  harborGate: { en: 'for a pipeline', zh: '用于流水线' },
  harborCompare: { en: 'better, worse, or noise?', zh: '变好、变差，还是噪声？' },
} as const satisfies Record<string, Text>

/** Each is one line. */
export const problemWords = {
  unknownFlag: (flag: string, near: string | undefined): Text => ({
    en: `There is no flag ${flag}${near ? `. Did you mean ${near}?` : '.'}`,
    zh: `没有参数 ${flag}${near ? `，是否想用 ${near}？` : '。'}`,
  }),
  unknownCommand: (name: string, near: string | undefined): Text => ({
    en: `There is no command "${name}"${near ? `. Did you mean ${near}?` : '.'} To ask the agent: dataagent run "…"`,
    zh: `没有命令“${name}”${near ? `，是否想用 ${near}？` : '。'} 向智能体提问：dataagent run "…"`,
  }),
  unknownAction: (command: string, name: string, near: string | undefined): Text => ({
    en: `dataagent ${command} has no "${name}"${near ? `. Did you mean ${near}?` : '.'}`,
    zh: `dataagent ${command} 没有“${name}”${near ? `，是否想用 ${near}？` : '。'}`,
  }),
  needsValue: (flag: string, value: string): Text => ({
    en: `${flag} needs a value: ${flag} ${value}`,
    zh: `${flag} 缺少值：${flag} ${value}`,
  }),
  takesNoValue: (flag: string): Text => ({
    en: `${flag} takes no value.`,
    zh: `${flag} 不接受值。`,
  }),
  oneOf: (flag: string, value: string, choices: readonly string[]): Text => ({
    en: `${flag} is one of ${choices.join(', ')}, not "${value}".`,
    zh: `${flag} 应为 ${choices.join('、')} 之一，而不是“${value}”。`,
  }),
  badUrl: (value: string): Text => ({
    en: `--server needs an address such as https://agents.example.com, not "${value}".`,
    zh: `--server 应为地址，如 https://agents.example.com，而不是“${value}”。`,
  }),
  twoSessions: {
    en: 'Only one of --resume and --continue.',
    zh: '--resume 与 --continue 只能使用一个。',
  },
} as const

export const helpWords = {
  usage: { en: 'Usage', zh: '用法' },
  commands: { en: 'Commands', zh: '命令' },
  actions: { en: 'Actions', zh: '操作' },
  flags: { en: 'Flags', zh: '参数' },
  everywhere: { en: 'Flags of every command', zh: '通用参数' },
  examples: { en: 'Examples', zh: '示例' },
  more: {
    en: 'dataagent help COMMAND explains one command.',
    zh: 'dataagent help 命令 查看单个命令的说明。',
  },
  about: {
    en: 'DataAgent in the terminal. Without a command it opens the interactive agent.',
    zh: 'DataAgent 终端。不带命令时打开交互式智能体。',
  },
  tryHelp: { en: 'See: dataagent help', zh: '参见：dataagent help' },
} as const satisfies Record<string, Text>
