import type { CancelFigures } from '../cancels.ts'
import type { Growth } from '../growth/growth.ts'
import type { NeighbourFigures } from '../neighbour.ts'
import type { Times } from '../percentile.ts'
import type { ThroughputFigures } from '../throughput.ts'
import { assumed, carryOn, findBreaks, limits, type Needs } from './arithmetic.ts'
import type { Need, Texts } from './texts.ts'

/** What the pages have from files: growth.json, load.json, and results.json of the benchmarks. */
export interface ScaleFigures {
  growth: Growth & { made: string }
  /** That PostgreSQL took in a second: one after the other, each with a commit, and 64 at once. */
  appends: { alone: number; together: number }
  load: LoadShares
}

/** Each is measured by itself; one that was not is left out. */
export interface LoadShares {
  throughput?: ThroughputFigures & { made: string }
  cancel?: CancelFigures & { made: string }
  neighbour?: NeighbourFigures & { made: string }
}

/** The tables of a page, by name. */
export function toBlocks(figures: ScaleFigures, texts: Texts): Record<string, string> {
  const { growth } = figures
  const needs = carryOn(growth)
  const needRows = Object.entries(toNeedRows(figures, needs))
  const breaks = findBreaks(needs, figures.appends.alone)
  return {
    calls: [
      `${texts.made(growth.made, growth)} ${texts.callMethod(growth.counts)}\n`,
      toTable(texts.calls, toCallRows(growth, texts)),
    ].join('\n'),
    stores: [
      `${texts.turnMethod(growth.counts)}\n`,
      toTable(texts.stores, toStoreRows(growth, texts)),
    ].join('\n'),
    rest: toTable(texts.rest, toRestRows(growth, texts)),
    assumptions: toTable(texts.assumptions, toAssumptionRows(texts)),
    needs: toTable(
      texts.needs,
      needRows.map(([need, row]) => [texts.needLines[need as Need], ...row]),
    ),
    breaks: toTable(
      texts.breaks,
      breaks.map(({ at, users }, place) => [
        ...[`${place + 1}`, round(users, 2), ...texts.breakLines[at]],
      ]),
    ),
    load: [`${texts.loadMade(daysOf(figures.load))}\n`, toLoadTable(figures.load, texts)].join(
      '\n',
    ),
  }
}

function toCallRows(growth: Growth, { series, sqlite }: Texts): string[][] {
  return (['tools', 'tenants', 'sessions', 'nodes'] as const).flatMap((name) =>
    growth[name].map(({ count, cpu, least, most, residentMb }) => [
      ...(count === 0 ? [sqlite, '1'] : [series[name], round(count)]),
      ...[round(cpu), `${round(least)}–${round(most)}`, round(residentMb)],
    ]),
  )
}

function toStoreRows({ nodes, turns }: Growth, { call, turn }: Texts): string[][] {
  const rows = [
    ...nodes.map((cost) => ({ name: call(cost.count), ...cost })),
    ...turns.map((cost) => ({ name: turn(round(cost.words)), ...cost })),
  ]
  return rows.flatMap(({ name, cpu, stores }) => {
    if (stores === undefined) return []
    const { databaseCpu, redisCpu, walBytes, logBytes, auditBytes } = stores
    const thousands = [cpu, databaseCpu, redisCpu].map((micros) => round(micros / 1e3, 2))
    const sizes = [walBytes, logBytes, auditBytes].map((bytes) => round(bytes / 1e3, 2))
    return [[name, ...thousands, round(stores.writes, 2), ...sizes, round(stores.redisCommands, 2)]]
  })
}

function toRestRows(growth: Growth, { restLines }: Texts): string[][] {
  const most = growth.sessions.at(-1)
  return [
    [restLines.node, `${round(growth.restMs ?? 0, 2)} ms`],
    [restLines.socket, `${round(growth.sockets?.socketKb ?? 0)} kB`],
    [restLines.session, `${round(most?.sessionKb ?? 0)} kB`],
  ]
}

function toAssumptionRows({ assumptionLines }: Texts): string[][] {
  const shares: readonly string[] = ['activeShare', 'openShare', 'fullness']
  return Object.entries(assumptionLines).map(([name, line]) => {
    const value = assumed[name as keyof typeof assumed]
    return [line, shares.includes(name) ? `${value * 100} %` : round(value)]
  })
}

/** How each comes about, and what it is. */
function toNeedRows(figures: ScaleFigures, needs: Needs): Record<Need, [string, string]> {
  const { alone, together } = figures.appends
  const { sockets } = figures.growth
  const { users, turns, callsPerTurn, keptDays } = assumed
  const [active, open] = [users * assumed.activeShare, users * assumed.openShare]
  const perSecond = round(needs.turnsPerSecond, 4)
  const turnMs = round((needs.nodeCores / needs.turnsPerSecond) * 1e3, 4)
  const perDay = round(needs.turnsPerSecond * 3_600 * assumed.busyHours)
  const each = (total: number, scale: number) => round(total / needs.turnsPerSecond / scale, 3)
  const eachDay = (total: number) =>
    round(total / (needs.turnsPerSecond * 3_600 * assumed.busyHours) / 1e3, 3)
  const byTurn = (total: number, scale = 1): [string, string] => [
    `${perSecond} × ${each(total, scale)}`,
    round(total / scale, 3),
  ]
  const kept = needs.logBytesPerDay + needs.auditBytesPerDay
  return {
    turns: [`${round(active)} × ${turns} ÷ 3,600`, perSecond],
    calls: [`${perSecond} × ${callsPerTurn}`, round(needs.callsPerSecond)],
    turnCpu: [
      `${round(needs.turnCpu / 1e3, 4)} + ${callsPerTurn - 1} × ${round(needs.callCpu / 1e3, 3)}`,
      turnMs,
    ],
    cores: [`${perSecond} × ${turnMs} ms`, round(needs.nodeCores, 3)],
    runningTurns: [`${perSecond} × ${assumed.turnSeconds} s`, round(needs.runningTurns)],
    sockets: [`${round(users)} × ${assumed.openShare * 100} %`, round(open)],
    socketMemory: [
      `${round(open)} × ${round(sockets?.socketKb ?? 0)} kB`,
      round(needs.socketBytes / 1e9, 3),
    ],
    processes: [
      [
        `${round(needs.nodeCores, 3)} ÷ ${assumed.fullness * 100} %`,
        `${round(needs.runningTurns)} ÷ ${limits.runningTurns}`,
        `${round(open)} ÷ ${round(limits.connections)}`,
      ].join('; '),
      round(needs.processes),
    ],
    databaseConnections: [
      `${needs.processes} × ${limits.databaseConnections}`,
      round(needs.databaseConnections),
    ],
    writes: byTurn(needs.writesPerSecond),
    appends: ['[`store`](benchmarks.md)', `${round(alone)}; ${round(together)}`],
    wal: byTurn(needs.walBytesPerSecond, 1e6),
    databaseCores: byTurn(needs.databaseCores),
    redisCommands: byTurn(needs.redisCommandsPerSecond),
    redisCores: byTurn(needs.redisCores),
    log: [`${perDay} × ${eachDay(needs.logBytesPerDay)} kB`, round(needs.logBytesPerDay / 1e9, 3)],
    audit: [
      `${perDay} × ${eachDay(needs.auditBytesPerDay)} kB`,
      round(needs.auditBytesPerDay / 1e9, 3),
    ],
    kept: [`${round(kept / 1e9, 3)} GB × ${keptDays}`, round((kept * keptDays) / 1e12, 3)],
  }
}

function daysOf(load: LoadShares): string {
  const days = Object.values(load).map(({ made }) => made)
  return [...new Set(days)].toSorted().join(', ')
}

function toLoadTable(load: LoadShares, texts: Texts): string {
  const rows = [
    ...toThroughputRows(load.throughput, texts),
    ...toCancelRows(load.cancel, texts),
    ...toNeighbourRows(load.neighbour, texts),
  ]
  return toTable(texts.load, rows)
}

function toThroughputRows(figures: LoadShares['throughput'], { loadLines }: Texts): string[][] {
  if (figures === undefined) return []
  const { users, servers } = figures
  return [...new Set(servers.map(({ database }) => database))].flatMap((database) => {
    const tried = servers.filter((server) => server.database === database)
    const workers = tried.map((server) => server.workers).join(' / ')
    const [turns, slow] = [loadLines.turns, loadLines.slowTurns].map((line) =>
      line({ users, workers, database: databaseNames[database] }),
    )
    return [
      [turns!, tried.map(({ perSecond }) => round(perSecond)).join(' / '), ''],
      [slow!, `${tried.map(({ times }) => round(times.p99)).join(' / ')} ms`, ''],
    ]
  })
}

const databaseNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function toCancelRows(figures: LoadShares['cancel'], { loadLines }: Texts): string[][] {
  if (figures === undefined) return []
  const { quiet, atFourFifths, atThreeTimes } = figures
  const under = ({ load }: typeof atThreeTimes) => ({
    asked: round(load.asked / load.seconds),
    answered: round(load.answered / load.seconds),
  })
  return [
    [loadLines.cancel(round(quiet.count)), late(quiet), ''],
    [loadLines.cancelBusy(under(atFourFifths)), late(atFourFifths.times), '250 ms'],
    [loadLines.cancelFlooded(under(atThreeTimes)), late(atThreeTimes.times), '1,000 ms'],
  ]
}

function toNeighbourRows(figures: LoadShares['neighbour'], { loadLines }: Texts): string[][] {
  return (figures?.limits ?? []).map(({ runningTurns, alone, flooded, ratio, ...beside }) => {
    const { flood, refused } = beside
    const line = loadLines.neighbour({
      ...{ perSecond: round(figures!.perSecond), count: round(alone.count) },
      ...{ asked: round(flood.asked / flood.seconds), runningTurns: round(runningTurns) },
      ...{ answered: round(flood.answered / flood.seconds), refused: round(refused) },
    })
    const times = `${round(alone.p99)} / ${late(flooded)}`
    return [line, `${times}, ${loadLines.times(round(ratio, 2))}`, loadLines.times('1.5')]
  })
}

const late = ({ p99 }: Times) => `${round(p99)} ms`

/** Whole, or to so many digits that count where it is small. */
function round(value: number, digits = 0): string {
  const options = digits === 0 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: digits }
  return value.toLocaleString('en-US', options)
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
