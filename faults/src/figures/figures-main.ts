// npm run figures: what is measured under load, and how costs grow; each part by its name.
import { parseArgs } from 'node:util'
import { measureCancels } from './cancels.ts'
import { type FigureDatabase, figureDatabases } from './figure-server.ts'
import { type GrowthCounts, measureGrowth } from './growth/growth.ts'
import type { LoadCounts } from './load-for.ts'
import { measureNeighbour } from './neighbour.ts'
import { keepShare, readResults } from './results.ts'
import { writeScalePages } from './scale/scale-page.ts'
import { measureThroughput } from './throughput.ts'

const usage = `npm run figures -- [NAME …] [flags]

throughput  turns a second by database and worker processes
            --seconds 20 --workers 1,2,4 --database sqlite,postgres
cancel      how long a cancel takes under load
            --seconds 20 --cancels 1000
neighbour   a tenant beside one that asks 100 times as much
            --samples 1000 --running-turns 200,16 (limits of turns that run at once)
growth      CPU of a call and a turn as nodes, sessions, tools and tenants grow
            --calls 2000 --rounds 5 --warm 12000 --turn-rounds 3 --turns-at-once 50
            --tools 10,100,1000 --tenants 1,10,100 --sessions 10,100,1000
            --nodes 0,1,2,4 (0: one on SQLite) --words 10,100,1000 --sockets 1000

Without a name all. Each part has its own share of docs/bench/load.json or growth.json, and writes
its figures into docs/scale.md too.`

const flags = {
  seconds: '20',
  workers: '1,2,4',
  database: figureDatabases.join(','),
  cancels: '1000',
  samples: '1000',
  'running-turns': '200,16',
  calls: '2000',
  rounds: '5',
  warm: '12000',
  'turn-rounds': '3',
  'turns-at-once': '50',
  tools: '10,100,1000',
  tenants: '1,10,100',
  sessions: '10,100,1000',
  nodes: '0,1,2,4',
  words: '10,100,1000',
  sockets: '1000',
}
type Flag = keyof typeof flags

interface Asked {
  one(flag: Flag): number
  many(flag: Flag): number[]
  databases: FigureDatabase[]
}

const parts: Record<string, (asked: Asked, onStep: (step: string) => void) => Promise<void>> = {
  async throughput(asked, onStep) {
    await keepShare('load.json', 'throughput', await measureThroughput(loadOf(asked), onStep))
  },
  async cancel(asked, onStep) {
    await keepShare('load.json', 'cancel', await measureCancels(loadOf(asked), onStep))
  },
  async neighbour(asked, onStep) {
    await keepShare('load.json', 'neighbour', await measureNeighbour(loadOf(asked), onStep))
  },
  async growth(asked, onStep) {
    await keepShare('growth.json', 'growth', await measureGrowth(growthOf(asked), onStep))
  },
}

process.exitCode = await main()

async function main(): Promise<number> {
  const asked = readArguments()
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n`)
    return asked === usage ? 0 : 2
  }
  for (const name of asked.names) {
    const began = performance.now()
    await parts[name]?.(asked, (step) => {
      const seconds = Math.round((performance.now() - began) / 1_000)
      process.stdout.write(`${name}, ${seconds} s: ${step}\n`)
    })
    await writeScalePages()
    const results = await readResults(name === 'growth' ? 'growth.json' : 'load.json')
    process.stdout.write(`${JSON.stringify(results[name], undefined, 2)}\n`)
  }
  return 0
}

function readArguments(): (Asked & { names: string[] }) | string {
  try {
    const names = Object.keys(flags).map((flag) => [flag, { type: 'string' }] as const)
    const options = { ...Object.fromEntries(names), help: { type: 'boolean' } } as const
    const { values: given, positionals } = parseArgs({ options, allowPositionals: true })
    if (given.help) return usage
    const unknown = positionals.find((name) => !Object.hasOwn(parts, name))
    if (unknown !== undefined) return `There is no part "${unknown}".\n\n${usage}`
    const values: Partial<Record<string, unknown>> = given
    const { database = flags.database, ...others } = values
    const counts = new Map(
      Object.entries({ ...flags, ...others }).flatMap(([flag, text]) =>
        flag === 'database' ? [] : [[flag, toCounts(text)]],
      ),
    )
    return {
      databases: toDatabases(String(database)),
      names: positionals.length > 0 ? positionals : Object.keys(parts),
      many: (flag) => counts.get(flag)!,
      one: (flag) => counts.get(flag)![0]!,
    }
  } catch (error) {
    return `${(error as Error).message}\n\n${usage}`
  }
}

function toCounts(text: unknown): number[] {
  if (!/^\d+(?:,\d+)*$/.test(String(text))) throw new Error(`"${text}" is no count.`)
  return String(text).split(',').map(Number)
}

function toDatabases(text: string): FigureDatabase[] {
  return text.split(',').map((word) => {
    const known = figureDatabases.find((name) => name === word)
    if (known === undefined) throw new Error(`There is no database "${word}".`)
    return known
  })
}

function loadOf({ one, many, databases }: Asked): LoadCounts {
  return {
    ...{ seconds: one('seconds'), cancels: one('cancels'), samples: one('samples') },
    ...{ runningTurns: many('running-turns'), workers: many('workers'), databases },
  }
}

function growthOf({ one, many }: Asked): GrowthCounts {
  return {
    ...{ calls: one('calls'), rounds: one('rounds'), warm: one('warm') },
    ...{ tools: many('tools'), tenants: many('tenants'), sessions: many('sessions') },
    ...{ nodes: many('nodes'), words: many('words'), sockets: one('sockets') },
    ...{ turnsAtOnce: one('turns-at-once'), turnRounds: one('turn-rounds'), restSeconds: 5 },
  }
}
