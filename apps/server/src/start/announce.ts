import type { Clock } from '@dataagent/guard'
import type { Config } from '../config/index.ts'
import { pause, type Readiness, untilReady } from '../deps/index.ts'
import type { AdminKey } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import { formatBanner, formatWaiting } from './banner.ts'

export interface AnnounceOptions {
  config: Config
  url: string
  readiness: Readiness
  adminKey: Promise<AdminKey>
  log: Logger
  clock: Clock
  say(text: string): void
}

const patienceMs = 1_500
const settleMs = 10_000

/**
 * Says that the server listens, and once its stores are there how to sign in. The key goes to `say`
 * alone.
 */
export async function announce({ config, url, log, say, clock, ...parts }: AnnounceOptions) {
  log.info({ url, data_dir: config.data_dir }, 'listening')
  const late = pause(clock, patienceMs).then(() => undefined)
  if ((await Promise.race([parts.adminKey, late])) === undefined) {
    const missing = parts.readiness.states().filter(({ status }) => status !== 'ready')
    say(
      formatWaiting(
        config.lang,
        url,
        missing.map(({ name }) => name),
      ),
    )
  }
  const adminKey = await parts.adminKey
  // Whoever opens the link at once is to be let in; what is away for longer, the pages tell.
  await untilReady(parts.readiness, clock, settleMs)
  say(formatBanner({ config, url, adminKey }))
  if (adminKey.status === 'made') log.info('an administrator key was made and shown once')
}
