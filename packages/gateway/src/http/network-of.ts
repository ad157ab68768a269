/** What to count an address by: whoever has one of IPv6 has the 2^64 of its network. */
export function networkOf(ip: string): string {
  const address = ip.split('%', 1)[0]!.toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const isIPv6 = address.includes(':') && URL.canParse(`http://[${address}]`)
  return isIPv6 ? `${toGroups(address).slice(0, 4).join(':')}::/64` : address
}

function toGroups(address: string): string[] {
  // The URL parser writes every IPv6 address in its one shortest form.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const front = head.split(':').filter(Boolean)
  const back = (tail ?? '').split(':').filter(Boolean)
  return [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
}
