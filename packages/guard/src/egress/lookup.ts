import { Resolver, lookup as systemLookup } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { classifyAddress } from './address-rules.ts'
import type { Lookup, LookupAnswer } from './connector.ts'
import { type Hosts, parseHosts } from './hosts-file.ts'
import { parseResolverSettings, type ResolverSettings, toCandidates } from './resolver-settings.ts'

export interface LookupOptions {
  /** Default /etc/hosts. */
  hostsFile?: string
  /** Default /etc/resolv.conf. */
  resolverFile?: string
  /** Name servers, instead of those of `resolverFile`. */
  servers?: readonly string[]
  /** For each of two tries. Default 2 s. */
  timeoutMs?: number
  /** The system's own way, which takes a thread for as long as a name server takes. */
  system?: Lookup
}

const tries = 2
/** Of the system's own lookups: the threads that they take are those of all work on files. */
const systemAtOnce = 2
const systemWaiting = 100

/**
 * Looks names up as the system does, without its threads: first in the hosts file, then by name
 * servers, which may be as slow as they like. What only the system knows (a name of one word, one
 * that ends in .local) it is asked for, few at a time.
 */
export function createLookup(options: LookupOptions = {}): Lookup {
  const { hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf', timeoutMs = 2_000 } = options
  const system = options.system ? createQueue(options.system) : sharedQueue()
  if (process.platform !== 'linux') return system
  const hosts = createFileReader(hostsFile, parseHosts)
  const names = createFileReader(resolverFile, (text) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (options.servers) resolver.setServers(options.servers)
    return { resolver, settings: parseResolverSettings(text) }
  })

  return async (hostname) => {
    const known = findHost(hosts(), hostname)
    if (known) return known
    const { resolver, settings } = names()
    const found = await ask(resolver, settings, hostname)
    if (found.status === 'found') return found.answers
    const isOurs = !hostname.includes('.') || hostname.endsWith('.local')
    if (found.code === 'ECONNREFUSED' || (found.code === 'ENOTFOUND' && isOurs)) {
      return await system(hostname)
    }
    throw toError(hostname, found.code)
  }
}

function findHost(hosts: Hosts, hostname: string): readonly LookupAnswer[] | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const known = hosts.get(name)
  if (known) return known
  // RFC 6761, section 6.3: never asked of a name server.
  const isLoopback = name === 'localhost' || name.endsWith('.localhost')
  return isLoopback ? [{ address: '127.0.0.1', family: 4 }] : undefined
}

type Found =
  | { status: 'found'; answers: readonly LookupAnswer[] }
  | { status: 'failed'; code: 'ENOTFOUND' | 'EAI_AGAIN' | 'ECONNREFUSED' }

async function ask(
  resolver: Resolver,
  settings: ResolverSettings,
  hostname: string,
): Promise<Found> {
  for (const name of toCandidates(hostname, settings)) {
    const found = await askOne(resolver, name)
    if (found.status === 'found' || found.code !== 'ENOTFOUND') return found
  }
  return { status: 'failed', code: 'ENOTFOUND' }
}

async function askOne(resolver: Resolver, name: string): Promise<Found> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const ofFour = addressesOf(four).map((address) => ({ address, family: 4 }))
  const ofSix = addressesOf(six).map((address) => ({ address, family: 6 }))
  const answers = hasPublicSix() ? [...ofSix, ...ofFour] : [...ofFour, ...ofSix]
  if (answers.length > 0) return { status: 'found', answers }
  const codes = [four, six].map((each) => (each.status === 'rejected' ? toCode(each.reason) : ''))
  if (codes.includes('ECONNREFUSED')) return { status: 'failed', code: 'ECONNREFUSED' }
  const isKnownNot = codes.every((code) => code === '' || unknownCodes.has(code))
  return { status: 'failed', code: isKnownNot ? 'ENOTFOUND' : 'EAI_AGAIN' }
}

const unknownCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

function addressesOf(settled: PromiseSettledResult<string[]>): string[] {
  return settled.status === 'fulfilled' ? settled.value : []
}

function toCode(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

/** As the system does (RFC 6724): the family first that is reached from here. */
function hasPublicSix(): boolean {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.some(
    ({ family, internal, address }) =>
      family === 'IPv6' && !internal && classifyAddress(address) === 'public',
  )
}

/** The same error as the system's. */
function toError(hostname: string, code: string): Error {
  return Object.assign(new Error(`getaddrinfo ${code} ${hostname}`), { code, hostname })
}

/** Few at a time; beyond a number that wait, at once an error. */
function createQueue(lookup: Lookup): Lookup {
  const waiting: (() => void)[] = []
  let running = 0
  return async (hostname) => {
    if (running >= systemAtOnce) {
      if (waiting.length >= systemWaiting) throw toError(hostname, 'EAI_AGAIN')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await lookup(hostname)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

let shared: Lookup | undefined

/** The one queue of this operating-system process, as its threads are. */
function sharedQueue(): Lookup {
  shared ??= createQueue((hostname) => systemLookup(hostname, { all: true }))
  return shared
}

/** What a small file says now: it is read again when it has changed; none is an empty one. */
function createFileReader<T>(path: string, parse: (text: string) => T): () => T {
  let stamp: string | undefined
  let value: T
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false })
    const now = `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`
    if (now !== stamp) {
      value = parse(stats ? readFileSync(path, 'utf8') : '')
      stamp = now
    }
    return value
  }
}
