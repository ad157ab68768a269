import { parseArgs } from 'node:util'

export const usage = `npm run nodes -- [--nodes N] [--workers N] [--database mysql|postgres] [--port N]

Starts a database, Redis and N nodes (default 2) of this machine's installed binaries behind a small
balancer, with data that is gone at the end. Settings of the environment (DATAAGENT_…, OPENAI_…)
reach every node. Lines on standard input: "kill N", "start N", "restart N", "nodes".`

const verbs = ['kill', 'start', 'restart'] as const

/** What becomes of a node, by its number from 1; or who they are. */
export type Command = { verb: (typeof verbs)[number]; number: number } | { verb: 'nodes' }

export interface Asked {
  nodes: number
  workers: number
  database: 'mysql' | 'postgres'
  port: number
}

/** What is asked for, or what to say instead. */
export function readArguments(args: string[]): Asked | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        nodes: { type: 'string', default: '2' },
        workers: { type: 'string', default: '1' },
        database: { type: 'string', default: 'postgres' },
        port: { type: 'string', default: '8000' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) return usage
    const [nodes, workers, port] = [values.nodes, values.workers, values.port].map(toNumber)
    if (!isCount(nodes, 16)) return `Give 1 to 16 nodes.\n\n${usage}\n`
    if (!isCount(workers, 64)) return `Give 1 to 64 workers of each node.\n\n${usage}\n`
    if (!isPort(port)) return `Give a port of 1 to 65535, or 0 for a free one.\n\n${usage}\n`
    const { database } = values
    if (database !== 'mysql' && database !== 'postgres') return `No such database.\n\n${usage}\n`
    return { nodes, workers, database, port }
  } catch (error) {
    return `${(error as Error).message}\n\n${usage}\n`
  }
}

/** What a line on the input asks for, or what to say instead. */
export function readCommand(line: string, nodes: number): Command | string {
  const [word = '', number = '', ...more] = line.trim().split(/\s+/)
  if (word === 'nodes' && number === '') return { verb: word }
  const verb = verbs.find((known) => known === word)
  if (verb === undefined || more.length > 0)
    return 'Say "kill N", "start N", "restart N" or "nodes".'
  const asked = toNumber(number)
  return isCount(asked, nodes)
    ? { verb, number: asked }
    : `Say which node: "${verb} 1" to "${verb} ${nodes}".`
}

/** The keys of all nodes, and where a browser begins: signed in only by a key that is made here. */
export function toEntrance(given: string | undefined, made: string) {
  return given ? { keys: given, path: '/' } : { keys: made, path: `/#key=${made}` }
}

/** An empty word is no zero. */
function toNumber(word: string): number {
  return /^\d+$/.test(word) ? Number(word) : Number.NaN
}

function isCount(value: number | undefined, most: number): value is number {
  return Number.isInteger(value) && value! >= 1 && value! <= most
}

function isPort(value: number | undefined): value is number {
  return value === 0 || isCount(value, 65_535)
}
