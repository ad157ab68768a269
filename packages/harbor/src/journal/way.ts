import type { Way } from '../contract.ts'

/** What a journal says of the way of its trials, in the order of the flags of the command. */
const names = {
  ...{ url: 'url', transport: 'transport', assistant_id: 'agent' },
  ...{ max_seconds: 'timeout', approve: 'approve' },
} as const satisfies Record<keyof Way, string>

/** In words what differs, as `transport rest, not ws`; empty where nothing does. */
export function differencesOf(kept: Way, own: Way): string {
  const [before, now] = [toComparable(kept), toComparable(own)]
  const keys = Object.keys(names) as (keyof Way)[]
  return keys
    .filter((key) => before[key] !== now[key])
    .map((key) => `${names[key]} ${before[key] ?? 'default'}, not ${now[key] ?? 'default'}`)
    .join('; ')
}

const toComparable = (way: Way): Way => ({ ...way, url: toPlace(way.url) })

/** The first of the ports that systems hand out by themselves. */
const handedOut = 32_768

/**
 * The address as it is compared. A platform that the command starts for itself gets another port
 * each time, and is the same one.
 */
function toPlace(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  const isOwn = url.hostname === '127.0.0.1' && Number(url.port) >= handedOut
  if (isOwn) url.port = ''
  return `${url.origin}${url.pathname}`
}
