/** The part of resolv.conf(5) that the resolver leaves to whoever asks it. */
export interface ResolverSettings {
  /** Domains in which a name that is not whole is looked for. */
  search: readonly string[]
  /** With so many dots a name is first taken to be whole. */
  ndots: number
}

/** Of several lines the last counts. */
export function parseResolverSettings(text: string): ResolverSettings {
  let search: string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [word, ...rest] = line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/)
    if (word === 'search' || word === 'domain') search = rest
    if (word !== 'options') continue
    const given = rest.map((option) => /^ndots:(\d+)$/.exec(option)?.[1]).findLast(Boolean)
    if (given !== undefined) ndots = Math.min(15, Number(given))
  }
  return { search: search.filter((domain) => domain !== '.'), ndots }
}

/** The whole names that a name may stand for, in the order in which they are asked for. */
export function toCandidates(hostname: string, { search, ndots }: ResolverSettings): string[] {
  if (hostname.endsWith('.')) return [hostname]
  const within = search.map((domain) => `${hostname}.${domain.replace(/\.$/, '')}`)
  const dots = hostname.split('.').length - 1
  return dots >= ndots ? [hostname, ...within] : [...within, hostname]
}
