import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { fillFromTemplate } from './data-template.ts'
import { createInstanceDirectory } from './instance-directory.ts'
import { findOwner, type Owner } from './owner.ts'
import { type PrivateServer, startServer } from './private-server.ts'
import { requireBinary } from './service-kind.ts'

const run = promisify(execFile)

export interface StartPostgresOptions {
  /** Further arguments of postgres, such as `-c`, `max_connections=10`. */
  args?: string[]
}

const setUp = [
  '--username=dataagent',
  '--encoding=UTF8',
  process.platform === 'linux' ? '--locale=C.UTF-8' : '--no-locale',
  '--auth=scram-sha-256',
]

/** Starts a PostgreSQL of the test's own, as durable as one in production. */
export async function startPostgres({
  args = [],
}: StartPostgresOptions = {}): Promise<PrivateServer> {
  const command = await requireBinary('postgres')
  const owner = findOwner(['postgres', 'nobody'])
  await using cleanup = new AsyncDisposableStack()
  const directory = cleanup.use(await createInstanceDirectory({ owner, endSignal: 'SIGQUIT' }))
  const data = join(directory.path, 'data')
  await fillFromTemplate({
    directory: directory.path,
    binary: command,
    recipe: setUp.join(' '),
    build: () => initialise(join(dirname(command), 'initdb'), data, owner),
  })
  const password = await readFile(passwordFile(data), 'utf8')
  const server = await startServer({
    program: (port) => ({
      command,
      args: [...serverArguments(data, port), ...args],
      owner,
      directory,
      ready: /database system is ready to accept connections/,
      stopSignal: 'SIGINT',
      endSignal: 'SIGQUIT',
    }),
    url: (port) => `postgres://dataagent:${password}@127.0.0.1:${port}/postgres`,
    afterEnd: () => removeSharedMemory(data),
  })
  cleanup.move()
  return server
}

/** The password is made once per template and kept in it, which only its maker can read. */
async function initialise(initdb: string, data: string, owner: Owner | undefined): Promise<void> {
  const password = randomBytes(12).toString('hex')
  const pwfile = join(dirname(data), 'password')
  await writeFile(pwfile, password, { mode: 0o644 })
  await run(initdb, [...setUp, `--pwfile=${pwfile}`, `--pgdata=${data}`], {
    cwd: dirname(data),
    ...owner,
  })
  await writeFile(passwordFile(data), password)
}

function passwordFile(data: string): string {
  return join(data, 'testkit-password')
}

function serverArguments(data: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '32MB',
    dynamic_shared_memory_type: 'mmap',
    fsync: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
  }
  return [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]
}

/**
 * A killed PostgreSQL leaves a small System V segment, named on the seventh line of its pid file.
 */
async function removeSharedMemory(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const id = (await readFile(pidFile, 'utf8')).split('\n')[6]?.trim().split(/\s+/)[1]
  if (id !== undefined) await run('ipcrm', ['-m', id]).catch(() => {})
}
