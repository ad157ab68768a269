import type { Config } from '../config/index.ts'

/** Whether all of access, storage and workers is as by default: nothing is set up for others. */
export function isTrial(config: Config): boolean {
  const { api_keys, oidc_issuer, workers, session_store, database_url, redis_url } = config
  const isAlone = workers === 1 && !config.multi_tenant && config.public_url === undefined
  const isKeptHere = session_store === 'sqlite' && !database_url && !redis_url
  return isAlone && isKeptHere && api_keys.length === 0 && oidc_issuer === undefined
}
