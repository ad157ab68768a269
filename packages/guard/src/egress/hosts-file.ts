import { isIP } from 'node:net'
import type { LookupAnswer } from './connector.ts'

/** Names in lower case, with their addresses in the order of the file (hosts(5)). */
export type Hosts = ReadonlyMap<string, readonly LookupAnswer[]>

export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, LookupAnswer[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of names) {
      const known = hosts.get(name.toLowerCase()) ?? []
      hosts.set(name.toLowerCase(), [...known, { address, family }])
    }
  }
  return hosts
}
