import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyAddress, createAddressSet, isAddressRange } from './address-rules.ts'

describe('classifyAddress', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['1.1.1.1', 'public'],
    ['100.63.255.255', 'public'],
    ['172.32.0.1', 'public'],
    ['168.63.129.15', 'public'],
    ['168.63.129.17', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['2001:4860:4860::8888', 'public'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['::', 'unspecified'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['fec0::1', 'private'],
    // What clouds tell their machines, credentials included.
    ['168.63.129.16', 'private'],
    ['100.100.100.200', 'private'],
    ['fd00:ec2::254', 'private'],
    ['169.254.169.254', 'link_local'],
    ['fe80::1', 'link_local'],
    ['fe80::1%eth0', 'link_local'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['::7f00:1', 'translated'],
    ['::ffff:127.0.0.1', 'translated'],
    ['::ffff:8.8.8.8', 'translated'],
    ['::ffff:0:7f00:1', 'translated'],
    ['64:ff9b::7f00:1', 'translated'],
    ['64:ff9b:1::7f00:1', 'translated'],
    ['2001::1', 'translated'],
    ['2002:7f00:1::', 'translated'],
    ['192.0.0.9', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['192.88.99.1', 'reserved'],
    ['198.19.255.255', 'reserved'],
    ['198.51.100.7', 'reserved'],
    ['203.0.113.7', 'reserved'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['100::1', 'reserved'],
    ['2001:2::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['4000::1', 'reserved'],
    ['[::1]', 'invalid'],
    ['0x7f.1', 'invalid'],
    ['localhost', 'invalid'],
    ['', 'invalid'],
  ])('%s is %s', (address, expected) => {
    expect(classifyAddress(address)).toBe(expected)
  })

  test('agrees with plain arithmetic on any IPv4 address', () => {
    fc.assert(
      fc.property(nearEdges(32, ipv4Blocks), (value) => {
        expect(classifyAddress(toIpv4(value)) === 'public').toBe(!isInside(value, 32, ipv4Blocks))
      }),
      { numRuns: 3_000 },
    )
  })

  test('agrees with plain arithmetic on any IPv6 address', () => {
    fc.assert(
      fc.property(nearEdges(128, ipv6Blocks), (value) => {
        const isGlobal = value >> 125n === 1n && !isInside(value, 128, ipv6Blocks)
        expect(classifyAddress(toIpv6(value)) === 'public').toBe(isGlobal)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('createAddressSet', () => {
  test('holds addresses and ranges of both families', () => {
    const set = createAddressSet(['10.0.0.0/8', '127.0.0.2', 'fd00::/8', '::1'])
    const asked = [
      '10.9.9.9',
      '127.0.0.2',
      'fd12::1',
      '::1',
      '11.0.0.1',
      '127.0.0.1',
      'fe80::1',
      'x',
    ]
    expect(asked.map(set.has)).toEqual([true, true, true, true, false, false, false, false])
  })

  test('keeps the families apart', () => {
    expect(createAddressSet(['::ffff:0:0/96', '::/0']).has('127.0.0.1')).toBe(false)
    expect(createAddressSet(['127.0.0.1', '0.0.0.0/0']).has('::ffff:7f00:1')).toBe(false)
  })
})

test('isAddressRange takes addresses and prefixes that fit, nothing else', () => {
  const good = ['10.0.0.1', '10.0.0.0/8', '10.0.0.0/32', 'fd00::/8', '::1/128', '0.0.0.0/0']
  const bad = ['10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '/8', 'a/8', '']
  expect(good.filter((text) => !isAddressRange(text))).toEqual([])
  expect(bad.filter(isAddressRange)).toEqual([])
})

// The oracle: blocks as (first bits, number of bits), compared by shifting big integers.
type Block = readonly [prefix: bigint, bits: number]

const ipv4Blocks: Block[] = [
  [0n, 8],
  [10n, 8],
  [127n, 8],
  [(100n << 2n) | 1n, 10],
  [(169n << 8n) | 254n, 16],
  [(172n << 4n) | 1n, 12],
  [(192n << 16n) | 0n, 24],
  [(192n << 16n) | 2n, 24],
  [(192n << 16n) | (88n << 8n) | 99n, 24],
  [(192n << 8n) | 168n, 16],
  [(168n << 24n) | (63n << 16n) | (129n << 8n) | 16n, 32],
  [(198n << 7n) | 9n, 15],
  [(198n << 16n) | (51n << 8n) | 100n, 24],
  [(203n << 16n) | 113n, 24],
  [0xfn, 4],
  [0xen, 4],
]

const ipv6Blocks: Block[] = [
  [0x2001_00n >> 1n, 23],
  [0x2001_0db8n, 32],
  [0x2002n, 16],
  [0x3fff_0n, 20],
]

function isInside(value: bigint, width: number, blocks: Block[]): boolean {
  return blocks.some(([prefix, bits]) => value >> BigInt(width - bits) === prefix)
}

/** Random addresses, half of them at the edges of the blocks. */
function nearEdges(width: number, blocks: Block[]) {
  const top = (1n << BigInt(width)) - 1n
  const edges = blocks.flatMap(([prefix, bits]) => {
    const shift = BigInt(width - bits)
    const first = prefix << shift
    const last = first + (1n << shift) - 1n
    return [first - 1n, first, last, last + 1n].filter((value) => value >= 0n && value <= top)
  })
  return fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: top }), inGlobal(width))
}

function inGlobal(width: number) {
  const shift = BigInt(width - 3)
  return fc.bigInt({ min: 1n << shift, max: (2n << shift) - 1n })
}

function toIpv4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
}

function toIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn)
  return groups.map((group) => group.toString(16)).join(':')
}
