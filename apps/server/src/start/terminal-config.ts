import type { Config } from '../config/index.ts'

/** What holds for the platform of a terminal whatever is set: one process, for this machine. */
export const terminalFlags = [
  ...['--host=127.0.0.1', '--port=0', '--workers=1', '--no-auth-disabled'],
  ...['--shutdown-delay=0', '--log-format=json'],
]

/** A terminal waits for no more than this. */
const graceSeconds = 2
/** A user's file may name more servers than a user of a shared platform may have. */
const serversMin = 50
/** One person alone is not to be turned away from a busy machine. */
const loopDelayMs = 60_000

/** Settings of a server that serves others mean nothing to the platform of one terminal. */
export function toTerminalConfig(config: Config): Config {
  return Object.freeze({
    ...config,
    ...{ public_url: undefined, tls_cert: undefined, tls_key: undefined, trusted_proxies: [] },
    gateway: config.gateway && config.origins.gateway !== 'default',
    shutdown_grace: Math.min(config.shutdown_grace, graceSeconds),
    mcp_servers_per_user: Math.max(config.mcp_servers_per_user, serversMin),
    max_loop_delay_ms: Math.max(config.max_loop_delay_ms, loopDelayMs),
  })
}
