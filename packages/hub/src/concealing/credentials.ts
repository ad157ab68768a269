import { createSecretKeyTest } from '@dataagent/guard'
import type { ServerConfig } from '@dataagent/schema'

const isSecretKey = createSecretKeyTest([])
/** Shorter ones would be found by accident in ordinary text. */
const shortest = 8
const shortestUnnamed = 20

/**
 * The texts of a configuration that are credentials: by the name of their field, or because they
 * look like nothing else. `NODE_ENV=production` is a secret in the store, and none in an answer.
 */
export function credentialsOf(config: ServerConfig): string[] {
  const named = config.transport === 'stdio' ? config.env : config.headers
  const found = Object.entries(named).flatMap(([name, secret]) => {
    const value = secret.reveal()
    return [...(isCredential(name, value) ? withoutScheme(value) : []), ...passwordIn(value)]
  })
  return [...found, ...proxyPassword(config)].filter(({ length }) => length >= shortest)
}

function isCredential(name: string, value: string): boolean {
  if (isSecretKey(name)) return true
  const looksMade = /^[!-~]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)
  return value.length >= shortestUnnamed && looksMade && !isPlace(value)
}

/** A path or an address: what is secret in an address is its password. */
function isPlace(value: string): boolean {
  return value.startsWith('/') || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
}

/** Of `postgres://user:password@host/name`, as it is written and as it is meant. */
function passwordIn(value: string): string[] {
  const password = URL.parse(value)?.password ?? ''
  return password === '' ? [] : [password, decode(password)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `Bearer x` gives both: a server may echo the whole header or the token alone. */
function withoutScheme(value: string): string[] {
  const token = /^[A-Za-z]+ +(\S+)$/.exec(value)?.[1]
  return token === undefined ? [value] : [value, token]
}

function proxyPassword(config: ServerConfig): string[] {
  if (config.transport === 'stdio' || config.proxy === undefined) return []
  return passwordIn(config.proxy.reveal())
}
