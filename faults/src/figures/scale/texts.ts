import type { Method } from '../growth/growth.ts'
import type { Break } from './arithmetic.ts'

/** What stands beside the figures, by language. */
export interface Texts {
  made(day: string, machine: { node: string; cores: number }): string
  callMethod(counts: Method): string
  turnMethod(counts: Method): string
  calls: readonly string[]
  series: Record<'tools' | 'tenants' | 'sessions' | 'nodes', string>
  sqlite: string
  stores: readonly string[]
  call(nodes: number): string
  turn(words: string): string
  rest: readonly string[]
  restLines: Record<'node' | 'socket' | 'session', string>
  assumptions: readonly string[]
  assumptionLines: Record<Assumption, string>
  needs: readonly string[]
  needLines: Record<Need, string>
  breaks: readonly string[]
  breakLines: Record<Break, readonly [what: string, remedy: string]>
  loadMade(days: string): string
  load: readonly string[]
  loadLines: LoadLines
}

interface LoadLines {
  turns(tried: { users: number; database: string; workers: string }): string
  slowTurns(tried: { users: number; database: string; workers: string }): string
  cancel(count: string): string
  cancelBusy(load: { asked: string }): string
  cancelFlooded(load: { asked: string; answered: string }): string
  neighbour(tenants: {
    perSecond: string
    count: string
    asked: string
    answered: string
    refused: string
    runningTurns: string
  }): string
  times(ratio: string): string
}

export type Assumption =
  | 'users'
  | 'activeShare'
  | 'openShare'
  | 'turns'
  | 'callsPerTurn'
  | 'words'
  | 'turnSeconds'
  | 'busyHours'
  | 'fullness'
  | 'keptDays'

export type Need =
  | 'turns'
  | 'calls'
  | 'turnCpu'
  | 'cores'
  | 'runningTurns'
  | 'sockets'
  | 'socketMemory'
  | 'processes'
  | 'databaseConnections'
  | 'writes'
  | 'appends'
  | 'wal'
  | 'databaseCores'
  | 'redisCommands'
  | 'redisCores'
  | 'log'
  | 'audit'
  | 'kept'

const whole = (value: number) => value.toLocaleString('en-US')

export const english: Texts = {
  made: (day, { node, cores }) => `Measured on ${day}, ${cores} cores, Node ${node.slice(1)}.`,
  callMethod: ({ calls, rounds, warm }) =>
    `${rounds} rounds of ${whole(calls)} calls each, after ${whole(warm)} that do not count; the middle round is told.`,
  turnMethod: ({ turnsAtOnce, turnRounds, sockets }) =>
    `${turnRounds} rounds of ${turnsAtOnce} turns at once, with ${whole(sockets)} WebSockets open.`,
  calls: ['what grows', 'to', 'CPU of a call, µs', 'cheapest and dearest round', 'memory, MB'],
  series: {
    tools: 'tools of the server',
    tenants: 'tenants, each with a server',
    sessions: 'open sessions of MCP clients',
    nodes: 'nodes on PostgreSQL and Redis',
  },
  sqlite: 'one node on SQLite',
  stores: [
    '',
    'CPU of the nodes, ms',
    'of PostgreSQL, ms',
    'of Redis, ms',
    'writing transactions',
    'write-ahead log, kB',
    'sessions’ log, kB',
    'audit, kB',
    'Redis commands',
  ],
  call: (nodes) => `call through the gateway, nodes: ${nodes}`,
  turn: (words) => `turn with one call, answer of ${words} words`,
  rest: ['what is open', ''],
  restLines: {
    node: 'a node that nobody asks, CPU in each second',
    socket: 'a WebSocket with its session, memory',
    session: 'a session of an MCP client with its stream, memory',
  },
  assumptions: ['assumed', ''],
  assumptionLines: {
    users: 'users',
    activeShare: 'of them at work at once, in the busiest hour',
    openShare: 'of them with a page open, at work or not',
    turns: 'turns of a user at work in an hour',
    callsPerTurn: 'tool calls in a turn',
    words: 'words of an answer, which come 20 ms apart',
    turnSeconds: 'seconds that a turn takes, most of them the model’s',
    busyHours: 'busiest hours that a day amounts to',
    fullness: 'how full a core may be, for peaks and for a node that is away',
    keptDays: 'days that sessions and audit are kept',
  },
  needs: ['needed', 'from', ''],
  needLines: {
    turns: 'turns a second',
    calls: 'tool calls a second',
    turnCpu: 'CPU of a turn with its calls, ms',
    cores: 'cores busy with turns',
    runningTurns: 'turns under way at once',
    sockets: 'open sockets',
    socketMemory: 'memory of them, GB',
    processes: 'processes: the most of cores, turns under way and sockets',
    databaseConnections: 'connections to the database',
    writes: 'writing transactions a second',
    appends: 'what PostgreSQL took here, appends a second: one after the other; 64 at once',
    wal: 'write-ahead log, MB a second',
    databaseCores: 'cores busy in the database',
    redisCommands: 'Redis commands a second',
    redisCores: 'of Redis’s one thread',
    log: 'sessions’ log, GB a day',
    audit: 'audit, GB a day',
    kept: 'both, kept, TB',
  },
  breaks: ['', 'users', 'what is full then', 'what to do'],
  breakLines: {
    core: [
      'the one core that a process has, wholly busy',
      'more processes: `DATAAGENT_WORKERS` up to the cores of a machine, then more nodes. Nothing else has to change',
    ],
    runningTurns: [
      '`DATAAGENT_MAX_RUNNING_TURNS` of one process: further turns wait, then get 503',
      'more processes; or raise it where turns mostly wait for the model and the core is not full',
    ],
    connections: [
      '`DATAAGENT_MAX_CONNECTIONS` of one process: further ones are closed',
      'more processes; or raise it, and the limit of open files with it, where there is memory',
    ],
    databaseConnections: [
      'the 100 connections that PostgreSQL takes by default; each process opens up to 10',
      '`max_connections` of PostgreSQL, or a pooler before it',
    ],
    commits: [
      'commits one after the other, as fast as the disk of the benchmark took them',
      'at first nothing: what several connections commit at the same moment goes to the disk together, as 64 at once above. Then a disk that syncs sooner; then a database for a part of the tenants, with nodes of its own',
    ],
    redis: [
      'the one thread of Redis',
      'a faster core; then a Redis for a part of the tenants, with nodes of its own',
    ],
    disk: [
      'a disk of 1 TB, after 90 days, with the log of sessions and the audit',
      '`DATAAGENT_SESSION_KEEP_DAYS` and `DATAAGENT_RETENTION_DAYS`; a larger disk',
    ],
  },
  loadMade: (days) => `Measured on ${days}.`,
  load: ['', 'measured', 'wanted'],
  loadLines: {
    turns: ({ users, database, workers }) =>
      `turns a second of ${users} users who do not pause, on ${database}: ${workers} workers`,
    slowTurns: ({ database, workers }) =>
      `the slowest of a hundred of these turns, on ${database}: ${workers} workers`,
    cancel: (count) =>
      `a cancel until its turn has ended, slowest of a hundred, of ${count} each: in peace`,
    cancelBusy: ({ asked }) =>
      `at 80 % of what the server can do: ${asked} turns are asked for in each second`,
    cancelFlooded: ({ asked, answered }) =>
      `at 3 times what it can do: ${asked} are asked for in each second, ${answered} answered`,
    neighbour: ({ perSecond, count, asked, answered, refused, runningTurns }) =>
      `a tenant’s turns, ${perSecond} a second, slowest of a hundred, of ${count} each: alone / beside a tenant that asks for ${asked} a second and is answered ${answered}, where ${runningTurns} turns may run at once; refused of its own: ${refused}`,
    times: (ratio) => `${ratio} times`,
  },
}

export const chinese: Texts = {
  made: (day, { node, cores }) => `测量于 ${day}，${cores} 个核心，Node ${node.slice(1)}。`,
  callMethod: ({ calls, rounds, warm }) =>
    `先调用 ${whole(warm)} 次而不计数，然后做 ${rounds} 组，每组 ${whole(calls)} 次，取中间的一组。`,
  turnMethod: ({ turnsAtOnce, turnRounds, sockets }) =>
    `${turnRounds} 组，每组 ${turnsAtOnce} 轮同时进行，打开着 ${whole(sockets)} 个 WebSocket。`,
  calls: ['增长的对象', '数量', '一次调用的 CPU，µs', '最省与最费的一组', '内存，MB'],
  series: {
    tools: '一个服务器的工具',
    tenants: '租户，各有一个服务器',
    sessions: 'MCP 客户端打开的会话',
    nodes: '节点（PostgreSQL 与 Redis）',
  },
  sqlite: '一个节点（SQLite）',
  stores: [
    '',
    '节点 CPU，ms',
    'PostgreSQL，ms',
    'Redis，ms',
    '写事务',
    '预写日志，kB',
    '会话日志，kB',
    '审计，kB',
    'Redis 命令',
  ],
  call: (nodes) => `经网关的一次调用，节点数 ${nodes}`,
  turn: (words) => `含一次调用的一轮，回答 ${words} 个词`,
  rest: ['保持打开的', ''],
  restLines: {
    node: '无人使用的节点，每秒的 CPU',
    socket: '一个 WebSocket 及其会话，内存',
    session: 'MCP 客户端的一个会话及其流，内存',
  },
  assumptions: ['假设', ''],
  assumptionLines: {
    users: '用户',
    activeShare: '最忙的一小时内同时在用的比例',
    openShare: '打开着页面的比例，无论是否在用',
    turns: '在用的用户每小时的轮数',
    callsPerTurn: '每轮的工具调用',
    words: '一个回答的词数，间隔 20 ms',
    turnSeconds: '一轮的秒数，大部分是模型的时间',
    busyHours: '一天的总量相当于几个最忙的小时',
    fullness: '一个核心可以用到的程度，为高峰和离线的节点留出余地',
    keptDays: '会话与审计保留的天数',
  },
  needs: ['所需', '算法', ''],
  needLines: {
    turns: '每秒轮数',
    calls: '每秒工具调用',
    turnCpu: '一轮及其调用的 CPU，ms',
    cores: '处理各轮所占的核心',
    runningTurns: '同时进行的轮',
    sockets: '打开的套接字',
    socketMemory: '它们的内存，GB',
    processes: '进程：按核心、进行中的轮、套接字三者取最大',
    databaseConnections: '到数据库的连接',
    writes: '每秒写事务',
    appends: '这里的 PostgreSQL 每秒可承受的追加：逐个；64 个同时',
    wal: '预写日志，每秒 MB',
    databaseCores: '数据库所占的核心',
    redisCommands: '每秒 Redis 命令',
    redisCores: '占 Redis 唯一线程的',
    log: '会话日志，每天 GB',
    audit: '审计，每天 GB',
    kept: '两者保留的总量，TB',
  },
  breaks: ['', '用户数', '这时用满的', '怎么办'],
  breakLines: {
    core: [
      '一个进程所用的一个核心，完全占满',
      '增加进程：先把 `DATAAGENT_WORKERS` 增至机器的核心数，再增加节点。其他无须改变',
    ],
    runningTurns: [
      '一个进程的 `DATAAGENT_MAX_RUNNING_TURNS`：之后的轮先等待，再得到 503',
      '增加进程；若各轮多在等待模型而核心未满，也可以调高',
    ],
    connections: [
      '一个进程的 `DATAAGENT_MAX_CONNECTIONS`：之后的连接会被关闭',
      '增加进程；内存足够时也可以调高，并同时调高打开文件数的上限',
    ],
    databaseConnections: [
      'PostgreSQL 默认接受的 100 个连接；每个进程最多打开 10 个',
      '调高 PostgreSQL 的 `max_connections`，或在它前面放一个连接池',
    ],
    commits: [
      '逐个提交时，基准测试所用磁盘能承受的速度',
      '起初无须措施：多个连接同时提交的内容会一起写入磁盘，如上表的 64 个同时。然后换用同步更快的磁盘；再为一部分租户使用单独的数据库和节点',
    ],
    redis: ['Redis 的唯一线程', '更快的核心；再为一部分租户使用单独的 Redis 和节点'],
    disk: [
      '1 TB 的磁盘，90 天之后，存放会话日志与审计',
      '`DATAAGENT_SESSION_KEEP_DAYS` 与 `DATAAGENT_RETENTION_DAYS`；更大的磁盘',
    ],
  },
  loadMade: (days) => `测量于 ${days}。`,
  load: ['', '实测', '期望'],
  loadLines: {
    turns: ({ users, database, workers }) =>
      `${users} 个不停顿的用户每秒完成的轮次，${database}：${workers} 个 worker`,
    slowTurns: ({ database, workers }) =>
      `其中每百次里最慢的一次，${database}：${workers} 个 worker`,
    cancel: (count) => `从取消到轮次结束，每百次里最慢的一次，各 ${count} 次：空闲时`,
    cancelBusy: ({ asked }) => `能力的 80 % 时：每秒要求 ${asked} 轮`,
    cancelFlooded: ({ asked, answered }) =>
      `能力的 3 倍时：每秒要求 ${asked} 轮，完成 ${answered} 轮`,
    neighbour: ({ perSecond, count, asked, answered, refused, runningTurns }) =>
      `一个租户每秒 ${perSecond} 轮，每百次里最慢的一次，各 ${count} 次：独自 / 另一租户每秒要求 ${asked} 轮、完成 ${answered} 轮时，最多 ${runningTurns} 轮同时运行；其自身被拒绝 ${refused} 次`,
    times: (ratio) => `${ratio} 倍`,
  },
}
