import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Client, createClient } from '@dataagent/client'
import { startProcess } from '@dataagent/guard'

/** Keys of one's own: of administrators, and of a user. Real ones are long and random. */
const keys = {
  admin: 'key-of-the-administrator',
  ada: 'key-of-the-user-ada',
  /** Whose machine it is: may name paths of it. */
  owner: 'key-of-the-owner',
}
const roles = [
  `user=ada;role=user;key=${keys.ada}`,
  `user=owner;role=platform_admin;key=${keys.owner}`,
]

export interface OpenServerOptions {
  /** Such as DATAAGENT_MODEL and OPENAI_BASE_URL. Default: none, and so the demo model. */
  env?: Readonly<Record<string, string>>
}

/** A server of its own on a free port, with its data in a folder that goes with it. */
export async function openServer({ env = {} }: OpenServerOptions = {}) {
  const cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'server-')))
  let running = await start('0')

  async function start(port: string) {
    const main = join(import.meta.dirname, '../../apps/server/src/main.ts')
    const server = cleanup.use(
      await startProcess({
        command: process.execPath,
        args: ['--conditions=dataagent-source', main, '--data-dir', folder.path, '--port', port],
        env: {
          ...{ HOME: folder.path, DATAAGENT_HOST: '127.0.0.1', DATAAGENT_LOG_FORMAT: 'json' },
          DATAAGENT_API_KEYS: [keys.admin, ...roles].join(),
          ...env,
        },
      }),
    )
    return { server, url: await listeningAt(server.stdout) }
  }

  return {
    url: running.url,
    /** A client of one of them. */
    clientOf: (who: keyof typeof keys, options: { WebSocket?: typeof WebSocket } = {}): Client =>
      createClient({ baseUrl: running.url, apiKey: keys[who], ...options }),
    /** As a crash does, and another start on the same data. */
    async killAndStart() {
      await running.server.kill()
      running = await start(new URL(running.url).port)
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** The server says where it listens in one of its log lines. */
async function listeningAt(stdout: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const lines = createInterface({ input: stdout })
  lines.on('line', (line) => {
    const { message, url } = JSON.parse(line) as { message?: string; url?: string }
    if (message === 'listening' && url !== undefined) resolve(url)
  })
  lines.once('close', () => reject(new Error('the server did not start')))
  return promise
}
