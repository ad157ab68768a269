import { randomBytes } from 'node:crypto'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type PrivateServer,
  startMariadb,
  startPostgres,
  startRedis,
  temporaryDirectory,
} from '@dataagent/testkit'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Node, startNode } from './node-process.ts'

/** Several nodes behind a balancer, on one database and one Redis, all on this machine. */
export interface Nodes extends AsyncDisposable {
  /** Of the balancer. */
  readonly url: string
  readonly nodes: readonly Node[]
  readonly database: PrivateServer
  readonly redis: PrivateServer
  readonly balancer: Balancer
  /** SIGTERM, then a new start, while the others serve. */
  restart(node: Node): Promise<void>
  /** SIGKILL, without a new start. */
  kill(node: Node): Promise<void>
  /** Starts a node again that was killed. */
  revive(node: Node): Promise<void>
}

export interface StartNodesOptions {
  nodes?: number
  database?: 'mysql' | 'postgres'
  /** Processes of each node. */
  workers?: number
  env?: Readonly<Record<string, string>>
  /** Of the balancer; default: a free one. */
  port?: number
  /** Told of each step, for people who wait. */
  onStep?(step: string): void
}

/** What lies in one place for all nodes, as a mounted file system would be. */
const sharedFolders = ['workspaces', 'memories', 'results', 'journal']

export async function startNodes(options: StartNodesOptions = {}): Promise<Nodes> {
  const { nodes: count = 2, database: kind = 'postgres', workers = 1, onStep } = options
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  onStep?.(`starting ${kind === 'mysql' ? 'MariaDB' : 'PostgreSQL'} and Redis`)
  const [database, redis] = await Promise.all([
    kind === 'mysql' ? startMariadb() : startPostgres(),
    startRedis({ durable: true }),
  ])
  cleanup.use(database)
  cleanup.use(redis)
  const balancer = cleanup.use(await startBalancer({ port: options.port }))
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    DATAAGENT_MASTER_KEY: randomBytes(32).toString('base64'),
    DATAAGENT_PUBLIC_URL: balancer.url,
    DATAAGENT_TRUSTED_PROXIES: '127.0.0.1',
    DATAAGENT_SHUTDOWN_DELAY: '1',
    ...options.env,
  }
  const nodes: Node[] = []
  const announce = () => balancer.setNodes(nodes.map(({ url }) => url))
  for (let number = 1; number <= count; number += 1) {
    const name = `node-${number}`
    onStep?.(`starting ${name}`)
    const dataDir = await makeDataDir(path, name)
    nodes.push(cleanup.use(await startNode({ name, dataDir, workers, env })))
    announce()
  }
  await balancer.whenReady(count).catch((cause: Error) => tellWhy(nodes, cause))

  const readyAgain = async () => {
    announce()
    await balancer.whenReady(nodes.length).catch((cause: Error) => tellWhy(nodes, cause))
  }
  const moved = cleanup.move()
  return {
    ...{ url: balancer.url, nodes, database, redis, balancer },
    async restart(node) {
      await node.stop()
      await node.start()
      await readyAgain()
    },
    kill: (node) => node.kill(),
    async revive(node) {
      await node.start()
      await readyAgain()
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function tellWhy(nodes: readonly Node[], cause: Error): Promise<never> {
  const states = nodes.map(async ({ name, url, stderrTail }) => {
    const said = await fetch(`${url}/api/v1/ready`).then((answer) => answer.text(), String)
    return `${name}: ${said} ${stderrTail()}`
  })
  throw new Error([cause.message, ...(await Promise.all(states))].join('\n'), { cause })
}

async function makeDataDir(root: string, name: string): Promise<string> {
  const dataDir = join(root, name)
  await mkdir(dataDir, { mode: 0o700 })
  for (const folder of sharedFolders) {
    const shared = join(root, 'shared', folder)
    await mkdir(shared, { recursive: true, mode: 0o700 })
    await symlink(shared, join(dataDir, folder))
  }
  return dataDir
}
