import { startMariadb } from './mariadb.ts'
import { startPostgres } from './postgres.ts'
import type { PrivateServer } from './private-server.ts'
import { startRedis } from './redis.ts'
import { environmentUrl, type ServiceKind, serviceBinary } from './service-kind.ts'

/** At most one server of each kind, started by the first who asks. */
export interface SharedServices extends AsyncDisposable {
  /** The address, or undefined where there can be none. */
  url(kind: ServiceKind): Promise<string | undefined>
}

const start: Record<ServiceKind, () => Promise<PrivateServer>> = {
  mysql: startMariadb,
  postgres: startPostgres,
  redis: startRedis,
}

export function createSharedServices(): SharedServices {
  const started = new Map<ServiceKind, Promise<PrivateServer | undefined>>()

  async function startOnce(kind: ServiceKind): Promise<PrivateServer | undefined> {
    return (await serviceBinary(kind)) === undefined ? undefined : start[kind]()
  }

  return {
    async url(kind) {
      const given = environmentUrl(kind)
      if (given !== undefined) return given
      if (!started.has(kind)) started.set(kind, startOnce(kind))
      return (await started.get(kind))?.url
    },
    async [Symbol.asyncDispose]() {
      const settled = await Promise.allSettled(started.values())
      started.clear()
      const servers = settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
      await Promise.all(servers.map((server) => server?.[Symbol.asyncDispose]()))
    },
  }
}
