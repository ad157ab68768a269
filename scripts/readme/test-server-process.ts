import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'
import { repository } from '../setup/paths.mjs'

export interface ServerProcess extends AsyncDisposable {
  url: string
  /** Of an administrator. */
  key: string
}

/** The real program on a free port, with all that it says of itself off the terminal. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  const main = join(repository, 'apps/server/src/main.ts')
  const args = ['--conditions=dataagent-source', main, '--port', '0', '--data-dir', dataDir]
  const child = spawn(process.execPath, args, { env: { PATH: '/usr/bin:/bin', HOME: dataDir } })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const found = await waitFor(() => /(http:\S+)\/#key=(\S+)/.exec(output), { timeoutMs: 30_000 })
  const [, url = '', key = ''] = found
  await waitFor(async () => (await fetch(`${url}/api/v1/ready`)).ok, { timeoutMs: 30_000 })
  return {
    ...{ url, key: decodeURIComponent(key) },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await closed
    },
  }
}
