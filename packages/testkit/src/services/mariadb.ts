import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillFromTemplate } from './data-template.ts'
import { createInstanceDirectory } from './instance-directory.ts'
import { findOwner } from './owner.ts'
import { type PrivateServer, startServer } from './private-server.ts'
import { requireBinary } from './service-kind.ts'

export interface StartMariadbOptions {
  /** Further arguments of mariadbd, such as `--max-connections=10`. */
  args?: string[]
}

const sizes = [
  '--innodb-buffer-pool-size=32M',
  '--innodb-log-file-size=32M',
  '--key-buffer-size=1M',
  '--aria-pagecache-buffer-size=8M',
]

const setUp = [
  '--no-defaults',
  '--skip-test-db',
  '--skip-name-resolve',
  '--auth-root-authentication-method=normal',
  ...sizes,
]

/**
 * Starts a MariaDB of the test's own, as durable as one in production, with one empty database
 * `dataagent`.
 */
export async function startMariadb({
  args = [],
}: StartMariadbOptions = {}): Promise<PrivateServer> {
  const command = await requireBinary('mysql')
  const owner = findOwner(['mysql', 'nobody'])
  await using cleanup = new AsyncDisposableStack()
  const directory = cleanup.use(await createInstanceDirectory({ owner, endSignal: 'SIGKILL' }))
  const data = join(directory.path, 'data')
  await fillFromTemplate({
    directory: directory.path,
    binary: command,
    recipe: setUp.join(' '),
    async build() {
      const args = [...setUp, `--datadir=${data}`, `--tmpdir=${directory.path}`]
      await promisify(execFile)('mariadb-install-db', args, { cwd: directory.path, ...owner })
    },
  })
  const password = randomBytes(12).toString('hex')
  await writeFile(join(directory.path, 'init.sql'), initFile(password))
  const server = await startServer({
    program: (port) => ({
      command,
      args: [...serverArguments(directory.path, port), ...args],
      owner,
      directory,
      ready: /ready for connections/,
      stopSignal: 'SIGTERM',
      endSignal: 'SIGKILL',
    }),
    url: (port) => `mysql://dataagent:${password}@127.0.0.1:${port}/dataagent`,
  })
  cleanup.move()
  return server
}

function serverArguments(directory: string, port: number): string[] {
  return [
    '--no-defaults',
    `--datadir=${join(directory, 'data')}`,
    `--tmpdir=${directory}`,
    `--socket=${join(directory, 's')}`,
    `--pid-file=${join(directory, 'pid')}`,
    `--init-file=${join(directory, 'init.sql')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--max-connections=500',
    '--performance-schema=OFF',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-buffer-pool-dump-at-shutdown=OFF',
    '--innodb-buffer-pool-load-at-startup=OFF',
    ...sizes,
  ]
}

/** Run by the server at each start, one statement a line, before it takes connections. */
function initFile(password: string): string {
  return `
DROP USER IF EXISTS root@'127.0.0.1', root@'::1', root@localhost, ''@localhost;
CREATE USER IF NOT EXISTS dataagent@'127.0.0.1' IDENTIFIED BY '${password}';
GRANT ALL ON *.* TO dataagent@'127.0.0.1' WITH GRANT OPTION;
CREATE DATABASE IF NOT EXISTS dataagent CHARACTER SET utf8mb4;
`
}
