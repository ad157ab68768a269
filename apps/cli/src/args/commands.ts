import type { ThemeName } from '../ui/index.ts'
import type { CommandSpec, Flag, FlagValue } from './contract.ts'
import { commandWords, exampleWords, flagWords, noteWords } from './words.ts'

const text = (name: string): FlagValue => ({ name, completes: 'nothing' })
const oneOf = (...choices: string[]): FlagValue => ({
  name: choices.join('|'),
  completes: choices,
})
const file: FlagValue = { name: 'FILE', completes: 'files' }
const folder: FlagValue = { name: 'DIR', completes: 'folders' }

/** Named here: the colours themselves are loaded when something is painted. */
const themes: ThemeName[] = ['dark', 'light', 'mono']

/** Before or after every command. */
export const globalFlags: readonly Flag[] = [
  { name: 'server', value: text('URL'), about: flagWords.server },
  { name: 'api-key-file', value: file, about: flagWords.apiKeyFile },
  { name: 'api-key', value: text('KEY'), about: flagWords.apiKey },
  { name: 'agent', alias: 'assistant', value: text('ID'), about: flagWords.agent },
  { name: 'mcp-config', value: file, isRepeatable: true, about: flagWords.mcpConfig },
  { name: 'trust-project-mcp', about: flagWords.trustProjectMcp },
  { name: 'folder', short: 'C', value: folder, about: flagWords.folder },
  { name: 'data-dir', value: folder, about: flagWords.dataDir },
  { name: 'lang', value: oneOf('en', 'zh'), about: flagWords.lang },
  { name: 'theme', value: oneOf(...themes), about: flagWords.theme },
  { name: 'resume', value: { ...text('ID'), isOptional: true }, about: flagWords.resume },
  { name: 'continue', short: 'c', about: flagWords.continue },
  { name: 'plain', about: flagWords.plain },
  { name: 'version', short: 'v', about: flagWords.version },
  { name: 'help', short: 'h', about: flagWords.help },
]

const json: Flag = { name: 'json', about: flagWords.json }
/** Before the address or the command. */
const mcpAddFlags: readonly Flag[] = [
  { name: 'name', value: text('NAME'), about: flagWords.mcpName },
  { name: 'env', value: text('NAME=VALUE'), isRepeatable: true, about: flagWords.mcpEnv },
  { name: 'header', value: text('"NAME: VALUE"'), isRepeatable: true, about: flagWords.mcpHeader },
]
const yes: Flag = { name: 'yes', short: 'y', about: flagWords.yes }

const html: Flag = { name: 'html', value: file, about: flagWords.harborHtml }
const junit: Flag = { name: 'junit', value: file, about: flagWords.harborJunit }
const approve: Flag = {
  ...{ name: 'approve', value: oneOf('never', 'policy', 'auto'), about: flagWords.approve },
}
const quiet: Flag = { name: 'quiet', short: 'q', about: flagWords.quiet }

const harborRunFlags: readonly Flag[] = [
  { name: 'url', value: text('URL'), about: flagWords.harborUrl },
  { name: 'concurrency', value: text('N'), about: flagWords.harborConcurrency },
  { name: 'rate', value: text('PER_SECOND'), about: flagWords.harborRate },
  { name: 'duration', value: text('SECONDS'), about: flagWords.harborDuration },
  { name: 'ramp', value: text('SECONDS'), about: flagWords.harborRamp },
  { name: 'warm-up', value: text('SECONDS'), about: flagWords.harborWarmUp },
  { name: 'attempts', value: text('N'), about: flagWords.harborAttempts },
  { name: 'transport', value: oneOf('rest', 'ws'), about: flagWords.harborTransport },
  { ...approve, about: flagWords.harborApprove },
  { name: 'timeout', value: text('SECONDS'), about: flagWords.harborTimeout },
  {
    ...{ name: 'filter', value: text('tag=NAME|category=NAME|id=ID'), isRepeatable: true },
    about: flagWords.harborFilter,
  },
  { name: 'out', value: folder, about: flagWords.harborOut },
  { name: 'baseline', value: file, about: flagWords.harborBaseline },
  {
    ...{ name: 'format', value: text('json,junit,html'), isRepeatable: true },
    about: flagWords.harborFormat,
  },
  { name: 'fail-under', value: text('PERCENT'), about: flagWords.harborFailUnder },
  { name: 'sql-source', value: text('NAME'), about: flagWords.harborSqlSource },
  quiet,
  json,
]

const action = (
  name: string,
  about: CommandSpec['about'],
  rest: Partial<CommandSpec> = {},
): CommandSpec => ({ name, usage: '', about, flags: [], reads: 'known', examples: [], ...rest })

/** Parsing, help and completions are made from this one table. */
export const commands: readonly CommandSpec[] = [
  {
    ...{ name: 'run', usage: '[TEXT…]', about: commandWords.run, reads: 'known' },
    flags: [
      {
        ...{ name: 'output', short: 'o', value: oneOf('text', 'json', 'ndjson') },
        about: flagWords.output,
      },
      { name: 'events', about: flagWords.events },
      { name: 'session', short: 's', value: text('ID'), about: flagWords.session },
      approve,
      { name: 'timeout', value: text('SECONDS'), about: flagWords.timeout },
      quiet,
    ],
    notes: [noteWords.stdin, noteWords.stdout, noteWords.exitCodes],
    examples: [
      { line: 'dataagent run "What changed in this folder?"', about: exampleWords.run },
      { line: 'git diff | dataagent run "Review this"', about: exampleWords.pipe },
      { line: 'dataagent run --output json "…" | jq .answer', about: exampleWords.jsonOutput },
      { line: 'dataagent run --approve auto "Run the tests"', about: exampleWords.runAuto },
    ],
  },
  {
    ...{ name: 'serve', usage: '[FLAGS]', about: commandWords.serve, flags: [], reads: 'all' },
    examples: [{ line: 'dataagent serve --port 9000', about: exampleWords.serve }],
  },
  {
    ...{ name: 'mcp', usage: 'ACTION', about: commandWords.mcp, flags: [], reads: 'own' },
    actions: [
      action('list', commandWords.mcpList, {
        ...{ reads: 'own', flags: [json] },
      }),
      action('add', commandWords.mcpAdd, {
        ...{ usage: '[NAME] (URL | -- COMMAND [ARGS…] | TEXT)', reads: 'own', flags: mcpAddFlags },
      }),
      action('test', commandWords.mcpTest, { usage: 'NAME', reads: 'own' }),
      action('import', commandWords.mcpImport, {
        ...{ reads: 'own', flags: [{ name: 'all', about: flagWords.mcpAll }] },
      }),
      action('login', commandWords.mcpLogin, { usage: 'NAME', reads: 'own' }),
      action('enable', commandWords.mcpEnable, { usage: 'NAME', reads: 'own' }),
      action('disable', commandWords.mcpDisable, { usage: 'NAME', reads: 'own' }),
      action('remove', commandWords.mcpRemove, { usage: 'NAME', reads: 'own' }),
      action('reload', commandWords.mcpReload, { reads: 'own' }),
    ],
    examples: [
      {
        line: 'dataagent mcp add files -- npx -y @modelcontextprotocol/server-filesystem .',
        about: exampleWords.mcpAdd,
      },
      { line: 'dataagent mcp test files', about: exampleWords.mcpTest },
    ],
  },
  {
    ...{ name: 'mcp-data', usage: '[FLAGS]', about: commandWords.mcpData, reads: 'known' },
    flags: [
      { name: 'sqlite', value: file, about: flagWords.dataSqlite },
      { name: 'duckdb', value: file, about: flagWords.dataDuckdb },
      { name: 'url', value: text('URL'), about: flagWords.dataUrl },
      { name: 'name', value: text('NAME'), about: flagWords.dataName },
      { name: 'output', value: folder, about: flagWords.dataOutput },
    ],
    notes: [noteWords.mcpDataFolder, noteWords.mcpDataEnds],
    examples: [
      { line: 'dataagent mcp-data --folder ~/sales', about: exampleWords.mcpDataFolder },
      { line: 'dataagent mcp-data --sqlite shop.db --name shop', about: exampleWords.mcpDataFile },
      { line: 'dataagent mcp-data', about: exampleWords.mcpDataUrl },
    ],
  },
  {
    ...{ name: 'sessions', usage: '[ACTION]', about: commandWords.sessions, reads: 'known' },
    flags: [],
    actions: [
      action('list', commandWords.sessionsList, {
        flags: [
          { name: 'limit', short: 'n', value: text('N'), about: flagWords.limit },
          { name: 'search', value: text('TEXT'), about: flagWords.search },
          json,
        ],
      }),
      action('show', commandWords.sessionsShow, { usage: 'ID', flags: [json] }),
      action('export', commandWords.sessionsExport, {
        usage: 'ID',
        flags: [
          { name: 'format', value: oneOf('markdown', 'json'), about: flagWords.format },
          { name: 'to', value: file, about: flagWords.toFile },
        ],
      }),
      action('rename', commandWords.sessionsRename, { usage: 'ID TITLE' }),
      action('delete', commandWords.sessionsDelete, { usage: 'ID…', flags: [yes] }),
    ],
    examples: [
      { line: 'dataagent sessions list --search sales', about: exampleWords.search },
      { line: 'dataagent sessions export ID --to report.md', about: exampleWords.exportFile },
    ],
  },
  {
    ...{ name: 'harbor', usage: 'ACTION', about: commandWords.harbor, flags: [], reads: 'known' },
    actions: [
      action('run', commandWords.harborRun, { usage: 'FILE', flags: harborRunFlags }),
      action('check', commandWords.harborCheck, { usage: 'FILE', flags: [json] }),
      action('report', commandWords.harborReport, { usage: 'FILE', flags: [html, junit, json] }),
      action('compare', commandWords.harborCompare, {
        ...{ usage: 'BASELINE CURRENT', flags: [html, json] },
      }),
      action('convert', commandWords.harborConvert, {
        usage: 'FILE',
        flags: [
          { name: 'as', value: oneOf('promptfoo', 'json'), about: flagWords.harborAs },
          { name: 'to', value: file, about: flagWords.toFile },
        ],
      }),
    ],
    notes: [noteWords.harborExitCodes],
    examples: [
      { line: 'dataagent harbor run questions.json', about: exampleWords.harborRun },
      {
        line: 'dataagent harbor run questions.yaml --url https://agents.example.com --concurrency 8',
        about: exampleWords.harborRemote,
      },
      {
        line: 'dataagent harbor run questions.json --rate 5 --duration 60',
        about: exampleWords.harborRate,
      },
      {
        line: 'dataagent harbor run questions.json --baseline main.json --fail-under 90',
        about: exampleWords.harborGate,
      },
      { line: 'dataagent harbor compare main.json report.json', about: exampleWords.harborCompare },
    ],
  },
  {
    ...{ name: 'doctor', usage: '', about: commandWords.doctor, flags: [json], reads: 'known' },
    examples: [{ line: 'dataagent doctor --json', about: exampleWords.doctor }],
  },
  {
    ...{ name: 'init', usage: '', about: commandWords.init, flags: [yes], reads: 'known' },
    examples: [
      { line: 'dataagent init', about: exampleWords.init },
      { line: 'dataagent init --yes', about: exampleWords.initYes },
    ],
  },
  {
    ...{ name: 'completions', usage: 'bash|zsh|fish', about: commandWords.completions },
    ...{ flags: [], reads: 'known', words: ['bash', 'zsh', 'fish'] },
    notes: [noteWords.completions],
    examples: [
      { line: 'source <(dataagent completions bash)', about: exampleWords.completionsNow },
    ],
  },
  {
    ...{ name: 'help', usage: '[COMMAND]', about: commandWords.help, flags: [], reads: 'known' },
    words: [
      ...['run', 'serve', 'mcp', 'mcp-data', 'sessions', 'harbor', 'doctor', 'init', 'completions'],
    ],
    examples: [{ line: 'dataagent help run', about: exampleWords.help }],
  },
]

/** Of the program itself. */
export const mainExamples: CommandSpec['examples'] = [
  { line: 'dataagent', about: exampleWords.interactive },
  { line: 'dataagent --continue', about: exampleWords.continue },
  {
    line: 'dataagent --server https://agents.example.com --api-key-file ~/.key',
    about: exampleWords.remote,
  },
  { line: 'dataagent run "What changed in this folder?"', about: exampleWords.run },
]
