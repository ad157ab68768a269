import type { Socket } from 'node:net'
import { AppError } from '@dataagent/schema/base'
import type { buildConnector, Dispatcher } from 'undici'
import { createConnector, type Lookup } from './connector.ts'
import { loadHttpClient } from './http-client.ts'
import { type EgressPolicy, type PolicyRules, toDestination, toPolicyRules } from './policy.ts'

/**
 * The connections of one policy class: never shared with another class, so that none skips its own
 * checks.
 */
export interface PolicyPool {
  rules: PolicyRules
  proxied: boolean
  dispatcher: Dispatcher
}

export interface PoolsOptions {
  lookup: Lookup
  /** What an error tells an administrator to change. */
  allowSetting: string
  connectTimeoutMs: number
  maxHeaderBytes: number
  ca: readonly string[] | undefined
}

/** Policies in use at once are few; of more than this many the one unused for longest is closed. */
const maxPools = 64

/** Keeps one pool for each pair of policy and proxy. */
export function createPools(options: PoolsOptions) {
  const { Agent, Pool, ProxyAgent } = loadHttpClient()
  const pools = new Map<string, PolicyPool>()
  const retiring = new Map<Dispatcher, Promise<void>>()
  const opening = new Set<Socket>()

  const connect: buildConnector.BuildOptions = {
    allowH2: false,
    timeout: options.connectTimeoutMs,
    ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
  }
  const client = { allowH2: false, maxHeaderSize: options.maxHeaderBytes }

  return {
    get(policy: EgressPolicy, proxy: string | undefined): PolicyPool {
      const { mode, allowedAddresses, allowedPorts } = policy
      const key = JSON.stringify([mode, allowedAddresses, allowedPorts, proxy])
      const pool = pools.get(key) ?? createPool(policy, proxy)
      pools.delete(key)
      pools.set(key, pool)
      if (pools.size > maxPools) retireOldest()
      return pool
    },

    async close(reason: Error): Promise<void> {
      const dispatchers = [...pools.values()].map((pool) => pool.dispatcher)
      pools.clear()
      for (const socket of opening) socket.destroy()
      await Promise.all([...dispatchers, ...retiring.keys()].map((one) => one.destroy(reason)))
      await Promise.all(retiring.values())
    },
  }

  function createPool(policy: EgressPolicy, proxy: string | undefined): PolicyPool {
    const rules = toPolicyRules(policy)
    const dispatcher = proxy === undefined ? createDirect(rules) : createProxied(toProxyUrl(proxy))
    return { rules, proxied: proxy !== undefined, dispatcher }
  }

  function createDirect(rules: PolicyRules): Dispatcher {
    return new Agent({
      ...client,
      factory(origin, poolOptions) {
        const destination = toDestination(new URL(origin))
        const connector = createConnector({ ...options, destination, rules, connect })
        return new Pool(origin, { ...poolOptions, connect: track(connector) })
      },
    })
  }

  /**
   * CONNECT for https, absolute-form forwarding for http. The proxy is the administrator's: its
   * address is not checked.
   */
  function createProxied(proxy: URL): Dispatcher {
    return new ProxyAgent({
      ...client,
      uri: proxy.href,
      requestTls: connect,
      proxyTls: connect,
      clientFactory(origin, given) {
        const { connect: connector } = given as { connect: buildConnector.connector }
        const headersTimeout = options.connectTimeoutMs
        return new Pool(origin, { ...client, headersTimeout, connect: track(connector) })
      },
    })
  }

  /**
   * Destroying a pool leaves a socket that is still being opened; these are remembered, to be
   * destroyed too.
   */
  function track(connector: buildConnector.connector): buildConnector.connector {
    return (target, onConnected) => {
      const socket = connector(target, (...result) => {
        if (socket !== undefined) opening.delete(socket)
        onConnected(...result)
      }) as Socket | undefined
      if (socket !== undefined) opening.add(socket)
    }
  }

  function retireOldest(): void {
    const [oldest] = pools
    if (oldest === undefined) return
    const [key, { dispatcher }] = oldest
    pools.delete(key)
    const closed = dispatcher.close().finally(() => retiring.delete(dispatcher))
    retiring.set(dispatcher, closed)
  }
}

function toProxyUrl(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && ['http:', 'https:'].includes(url.protocol) && isDecodable(url)) return url
  throw new AppError(
    'config_invalid',
    'The proxy address cannot be read. Write it as http://host:port or http://user:password@host:port.',
  )
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}
