import { join } from 'node:path'
import { startProcess } from '@dataagent/guard'
import { waitFor } from '@dataagent/testkit'
import { repository } from '../setup/paths.mjs'

export interface ServerProcess extends AsyncDisposable {
  url: string
  /** Of an administrator. */
  key: string
}

/**
 * The real program on a free port, with all that it says of itself off the terminal. It does not
 * outlive the tests, however they end.
 */
export async function startServerProcess(
  dataDir: string,
  more: Record<string, string> = {},
  root = repository,
): Promise<ServerProcess> {
  const main = join(root, 'apps/server/src/main.ts')
  await using cleanup = new AsyncDisposableStack()
  let output = ''
  const server = await startProcess({
    command: process.execPath,
    args: ['--conditions=dataagent-source', main, '--port', '0', '--data-dir', dataDir],
    env: { PATH: '/usr/bin:/bin', HOME: dataDir, DATAAGENT_SAMPLES: 'off', ...more },
    onStderr(line) {
      output += `${line}\n`
    },
    graceMs: 30_000,
  })
  cleanup.defer(() => server.stop().then(() => {}))
  server.stdout.on('data', (chunk) => {
    output += chunk
  })
  const found = await waitFor(() => /(http:\S+)\/#key=(\S+)/.exec(output), {
    ...{ timeoutMs: 60_000, what: 'a link to sign in' },
  })
  const [, url = '', key = ''] = found
  await waitFor(async () => (await fetch(`${url}/api/v1/ready`)).ok, {
    ...{ timeoutMs: 60_000, what: 'a ready server' },
  })
  const moved = cleanup.move()
  return {
    ...{ url, key: decodeURIComponent(key) },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
