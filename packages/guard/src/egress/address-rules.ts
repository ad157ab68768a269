import { BlockList, isIP } from 'node:net'

/** What kind of network an address belongs to. Only `public` is routed on the whole Internet. */
export type AddressClass =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'multicast'
  | 'translated'
  | 'reserved'
  | 'invalid'

// From the IANA special-purpose address registries (RFC 6890 and its updates). A block of which
// only a few addresses are global (192.0.0.0/24, 2001::/23) is refused as a whole. 168.63.129.16 is
// in no registry: on a machine in Azure it is the host's own service, which hands out secrets. The
// first class that holds an address is its class.
const specialRanges: readonly (readonly [AddressClass, readonly string[]])[] = [
  ['unspecified', ['0.0.0.0/8', '::/128']],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  [
    'private',
    [
      '10.0.0.0/8',
      '100.64.0.0/10',
      '168.63.129.16/32',
      '172.16.0.0/12',
      '192.168.0.0/16',
      'fc00::/7',
      'fec0::/10',
    ],
  ],
  ['link_local', ['169.254.0.0/16', 'fe80::/10']],
  ['multicast', ['224.0.0.0/4', 'ff00::/8']],
  // Each carries an IPv4 address that a translator would reach: IPv4-compatible, IPv4-mapped, SIIT,
  // NAT64 (well-known and local prefix), Teredo, 6to4.
  [
    'translated',
    [
      '::/96',
      '::ffff:0:0/96',
      '::ffff:0:0:0/96',
      '64:ff9b::/96',
      '64:ff9b:1::/48',
      '2001::/32',
      '2002::/16',
    ],
  ],
  [
    'reserved',
    [
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '240.0.0.0/4',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
    ],
  ],
  // Of IPv6 only 2000::/3 has been given out as global unicast (RFC 4291, section 2.4).
  ['public', ['0.0.0.0/0', '2000::/3']],
]

const classes = specialRanges.map(([name, ranges]) => [name, createAddressSet(ranges)] as const)

/**
 * The class of an IP address as `net.isIP` accepts it: no brackets; a zone such as `%eth0` is
 * ignored.
 */
export function classifyAddress(address: string): AddressClass {
  if (isIP(withoutZone(address)) === 0) return 'invalid'
  return classes.find(([, set]) => set.has(address))?.[0] ?? 'reserved'
}

/**
 * IP addresses and ranges (`10.1.2.3`, `10.0.0.0/8`, `fd00::/8`) that can be asked for one address.
 */
export interface AddressSet {
  has(address: string): boolean
}

/** Makes a set of `ranges`; each must satisfy `isAddressRange`. */
export function createAddressSet(ranges: readonly string[]): AddressSet {
  // One list per family: in a shared one a rule for ::ffff:0:0/96 would match every IPv4 address.
  const lists = { 4: new BlockList(), 6: new BlockList() }
  for (const range of ranges) {
    const { address, bits, family } = toRange(range)
    lists[family].addSubnet(address, bits, toName(family))
  }
  return {
    has(address) {
      const bare = withoutZone(address)
      const family = isIP(bare)
      return (family === 4 || family === 6) && lists[family].check(bare, toName(family))
    },
  }
}

/** Whether `text` is an IP address, alone or with a prefix length that fits it. */
export function isAddressRange(text: string): boolean {
  const { address, bits, family } = toRange(text)
  const shape = /^[^/%]+(\/\d{1,3})?$/.test(text)
  return shape && isIP(address) !== 0 && bits <= (family === 4 ? 32 : 128)
}

function toRange(range: string): { address: string; bits: number; family: 4 | 6 } {
  const [address = '', bits] = range.split('/')
  const family = isIP(address) === 4 ? 4 : 6
  return { address, bits: Number(bits ?? (family === 4 ? 32 : 128)), family }
}

function toName(family: 4 | 6): 'ipv4' | 'ipv6' {
  return family === 4 ? 'ipv4' : 'ipv6'
}

function withoutZone(address: string): string {
  const zone = address.indexOf('%')
  return zone === -1 ? address : address.slice(0, zone)
}
