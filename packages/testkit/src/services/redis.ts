import { randomBytes } from 'node:crypto'
import { createInstanceDirectory } from './instance-directory.ts'
import { findOwner } from './owner.ts'
import { type PrivateServer, startServer } from './private-server.ts'
import { requireBinary } from './service-kind.ts'

export interface StartRedisOptions {
  /**
   * Keeps what was acknowledged when it is killed (an append-only file, synced at each write);
   * default false.
   */
  durable?: boolean
  /** Further arguments of redis-server, such as `--maxmemory`, `10mb`. */
  args?: string[]
}

/** Starts a Redis of the test's own; it forgets all with its process unless `durable`. */
export async function startRedis({
  durable = false,
  args = [],
}: StartRedisOptions = {}): Promise<PrivateServer> {
  const command = await requireBinary('redis')
  const owner = findOwner(['redis', 'nobody'])
  await using cleanup = new AsyncDisposableStack()
  const directory = cleanup.use(await createInstanceDirectory({ owner, endSignal: 'SIGKILL' }))
  const password = randomBytes(12).toString('hex')
  const persistence = ['--appendonly', durable ? 'yes' : 'no', '--appendfsync', 'always']
  const server = await startServer({
    program: (port) => ({
      command,
      args: [...serverArguments(directory.path, port, password), ...persistence, ...args],
      owner,
      directory,
      ready: /ready to accept connections/i,
      stopSignal: 'SIGTERM',
      endSignal: 'SIGKILL',
    }),
    url: (port) => `redis://:${password}@127.0.0.1:${port}/0`,
  })
  cleanup.move()
  return server
}

function serverArguments(directory: string, port: number, password: string): string[] {
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir: directory,
    requirepass: password,
    save: '',
    daemonize: 'no',
  }
  return Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value])
}
