/** Which tools: a server, or `*` for every one, and a pattern on its tools. */
export interface Entry {
  server_id: string
  tool: string
}

/** A tool as it is offered now. */
export interface Offered {
  server_id: string
  name: string
}

/** Everything, also what is added later. */
export const everything: readonly Entry[] = [{ server_id: '*', tool: '*' }]

export function isEverything(entries: readonly Entry[]): boolean {
  return entries.some(({ server_id, tool }) => server_id === '*' && isAny(tool))
}

export function isChosen(entries: readonly Entry[], tool: Offered): boolean {
  return entries.some((entry) => fits(entry, tool))
}

/** Takes a tool in or out. A pattern that it leaves becomes the names of the others it fits. */
export function toggle(
  entries: readonly Entry[],
  tool: Offered,
  offered: readonly Offered[],
): Entry[] {
  if (!isChosen(entries, tool)) return [...entries, toEntry(tool)]
  const kept = entries.filter((entry) => !fits(entry, tool))
  const left = entries.filter((entry) => fits(entry, tool))
  const others = offered.filter(
    (other) => !isSame(other, tool) && isChosen(left, other) && !isChosen(kept, other),
  )
  return [...kept, ...others.map(toEntry)]
}

/** Takes these tools of one server in, each by its name, or all of the server's out. */
export function chooseAll(
  entries: readonly Entry[],
  { server_id, tools, isOn }: { server_id: string; tools: readonly Offered[]; isOn: boolean },
): Entry[] {
  if (isOn) {
    const missing = tools.filter((tool) => !isChosen(entries, tool))
    return [...entries, ...missing.map(toEntry)]
  }
  return tools.reduce<Entry[]>(
    (left, tool) => (isChosen(left, tool) ? toggle(left, tool, tools) : left),
    entries.filter((entry) => entry.server_id !== server_id || isExact(entry.tool)),
  )
}

/** Whether the server's tools of later are in too. */
export function hasLater(entries: readonly Entry[], server_id: string): boolean {
  return entries.some((entry) => isOf(entry, server_id) && isAny(entry.tool))
}

export function setLater(
  entries: readonly Entry[],
  { server_id, tools, isOn }: { server_id: string; tools: readonly Offered[]; isOn: boolean },
): Entry[] {
  const others = entries.filter((entry) => entry.server_id !== server_id)
  if (isOn) return [...others, { server_id, tool: '*' }]
  return [...others, ...tools.map(toEntry)]
}

/** What is no name of an offered tool: patterns, and tools of servers that are away. */
export function remainders(entries: readonly Entry[], offered: readonly Offered[]): Entry[] {
  return entries.filter((entry) => {
    if (isAny(entry.tool)) return entry.server_id !== '*' && !offered.some(isOfEntry(entry))
    return !isExact(entry.tool) || !offered.some((tool) => fits(entry, tool))
  })
}

export function countChosen(entries: readonly Entry[], offered: readonly Offered[]): number {
  return offered.filter((tool) => isChosen(entries, tool)).length
}

function isOfEntry(entry: Entry) {
  return (tool: Offered) => tool.server_id === entry.server_id
}

function isOf(entry: Entry, server_id: string): boolean {
  return entry.server_id === '*' || entry.server_id === server_id
}

function fits(entry: Entry, { server_id, name }: Offered): boolean {
  return isOf(entry, server_id) && toTest(entry.tool)(name)
}

function toEntry({ server_id, name }: Offered): Entry {
  return { server_id, tool: name.replaceAll(/[*?[\\]/g, '\\$&') }
}

function isSame(one: Offered, other: Offered): boolean {
  return one.server_id === other.server_id && one.name === other.name
}

const isAny = (pattern: string) => /^\*+$/.test(pattern)
const isExact = (pattern: string) => !/[*?[]/.test(pattern.replaceAll(/\\./gs, ''))

/** As the server reads patterns: `*` and `?` stop at a slash, stars alone fit every name. */
function toTest(pattern: string): (name: string) => boolean {
  if (isAny(pattern)) return () => true
  if (isExact(pattern)) return (name) => name === pattern.replaceAll(/\\(.)/gs, '$1')
  const source = pattern.replaceAll(/\\.|\[[^\]]+\]|[*?]|[.+^${}()|\][\\/]/gs, (part) => {
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (part.length > 1) return part
    return `\\${part}`
  })
  try {
    const regex = new RegExp(`^${source}$`, 's')
    return (name) => regex.test(name)
  } catch {
    return () => false
  }
}
