import { AppError } from '@dataagent/schema/base'
import {
  type AddressClass,
  type AddressSet,
  classifyAddress,
  createAddressSet,
  isAddressRange,
} from './address-rules.ts'

/** Where a request may go. Plain data: it can come from configuration or from a database row. */
export interface EgressPolicy {
  /**
   * `any`: every address; for library users and for what an administrator has set.
   * `public`: only addresses that the whole Internet routes to, and those in `allowedAddresses`.
   */
  mode: 'any' | 'public'
  /**
   * What `public` may reach besides: an address (`10.1.2.3`), a range (`10.0.0.0/8`, `fd00::/8`) or
   * a host name (`wiki.corp.example`, whatever it resolves to); an address or a name may end in a
   * port (`10.1.2.3:8080`, `[fd00::1]:443`), and then stands for that port only.
   */
  allowedAddresses?: readonly string[]
  /**
   * The ports that may be used; all when left out. An entry of `allowedAddresses` that names its
   * port needs no entry here.
   */
  allowedPorts?: readonly number[]
}

/** A destination as the URL names it: `hostname` in lower case, without brackets and final dot. */
export interface Destination {
  hostname: string
  port: number
}

/** A policy made ready for questions. */
export interface PolicyRules {
  mode: EgressPolicy['mode']
  allowsPort(destination: Destination): boolean
  /** Whether the destination is allowed by its name, so that its addresses do not matter. */
  allowsName(destination: Destination): boolean
  /** Why `address` may not be reached as `destination`: its class. `undefined` when it may. */
  refusal(destination: Destination, address: string): AddressClass | undefined
}

interface AllowEntry {
  port: number | undefined
  hostname: string | undefined
  addresses: AddressSet | undefined
}

/** Makes `policy` ready. An entry that cannot be read is `config_invalid`, naming it. */
export function toPolicyRules(policy: EgressPolicy): PolicyRules {
  const entries = (policy.allowedAddresses ?? []).map(parseAllowEntry)
  const ports = policy.allowedPorts && new Set(policy.allowedPorts)

  const allowsName = ({ hostname, port }: Destination) =>
    entries.some((entry) => entry.hostname === hostname && covers(entry, port))

  return {
    mode: policy.mode,
    allowsName,
    allowsPort({ hostname, port }) {
      if (ports === undefined || ports.has(port)) return true
      return entries.some((entry) => entry.port === port && names(entry, hostname))
    },
    refusal(destination, address) {
      if (policy.mode === 'any') return undefined
      const found = classifyAddress(address)
      if (found === 'public' || allowsName(destination)) return undefined
      const allowed = entries.some(
        (entry) => entry.addresses?.has(address) && covers(entry, destination.port),
      )
      return allowed ? undefined : found
    },
  }
}

function covers(entry: AllowEntry, port: number): boolean {
  return entry.port === undefined || entry.port === port
}

function names(entry: AllowEntry, hostname: string): boolean {
  return entry.hostname === hostname || entry.addresses?.has(hostname) === true
}

function parseAllowEntry(text: string): AllowEntry {
  if (isAddressRange(text)) return toAddressEntry(text, undefined)
  const [, bracketed, name, portText] =
    /^(?:\[([^\]]+)\]|([^:/[\]@*\s]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = portText === undefined ? undefined : Number(portText)
  const host = bracketed ?? name
  if (host === undefined || (port !== undefined && (port < 1 || port > 65_535)))
    throw unreadable(text)
  if (isAddressRange(host)) return toAddressEntry(host, port)
  const hostname = bracketed === undefined ? URL.parse(`http://${host}`)?.hostname : undefined
  if (hostname === undefined || hostname === '') throw unreadable(text)
  // Names go through the URL parser, so that `0x7f.1` or an IDN is compared as a URL would spell
  // it.
  return isAddressRange(hostname)
    ? toAddressEntry(hostname, port)
    : { port, hostname: withoutFinalDot(hostname), addresses: undefined }
}

function toAddressEntry(range: string, port: number | undefined): AllowEntry {
  return { port, hostname: undefined, addresses: createAddressSet([range]) }
}

function unreadable(text: string): AppError {
  return new AppError(
    'config_invalid',
    `The allowed address "${text}" cannot be read. Write an address, a range such as 10.0.0.0/8, or a host name, with :port where only one port is meant.`,
  )
}

function withoutFinalDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

/** The destination of a URL (or origin) that is known to be http or https. */
export function toDestination({ hostname, port, protocol }: URL): Destination {
  return {
    hostname: hostname.startsWith('[') ? hostname.slice(1, -1) : withoutFinalDot(hostname),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}

/** How a destination is named to people. */
export function toHost({ hostname, port }: Destination): string {
  return hostname.includes(':') ? `[${hostname}]:${port}` : `${hostname}:${port}`
}
