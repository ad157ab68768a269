import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ServerConfig, ServerConfigInput, Transport } from '@dataagent/schema'
import { isPlainObject } from '@dataagent/schema/base'
import { toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { FileServer, FileServers } from './contract.ts'
import { type Entry, expandEntry } from './expand-entry.ts'
import { type ConfigPlace, sourcesOf, userFileOf } from './place.ts'
import { type FoundEntry, readEntries } from './read-entries.ts'
import { showEntry } from './trust/show-entry.ts'
import { hashOf, type TrustStore } from './trust/trust-store.ts'
import { words } from './words.ts'

export interface ReadOptions extends ConfigPlace {
  trust: TrustStore
  lang: Lang
}

/**
 * Every MCP server of every configuration file. Nothing is started, and whatever is wrong with a
 * file or a server is told in the answer: it never rejects and never waits for a pipe.
 */
export async function readServers(options: ReadOptions): Promise<FileServers> {
  const { lang, flags } = options
  const files = await Promise.all(sourcesOf(options).map((source) => readEntries(source, lang)))
  const entries = files.flatMap((file) => file.entries)
  const projects = new Set(
    entries.flatMap(({ source }) => (isOfProject(source) ? source.path : [])),
  )
  const problems = files.flatMap((file) => file.problems)
  if (userFileOf(options) === undefined) problems.unshift(words.badAssistant[lang])
  if (flags.trustsProjectMcp)
    problems.push(...[...projects].map((path) => words.trustedByFlag(path)[lang]))
  if (entries.length === 0) return { servers: [], problems }
  const folder = await realpath(options.folder).catch(() => options.folder)
  const servers: FileServer[] = []
  for (const entry of withoutHidden(entries)) {
    servers.push(await judge(entry, { ...options, folder }))
  }
  return { servers: withoutReplaced(servers), problems }
}

/** What the platform is to run. */
export function usableServers({ servers }: FileServers): ServerConfigInput[] {
  return servers.flatMap((server) => (server.status === 'ok' ? [server.config] : []))
}

/** What of a file is told in a line; a file may hold a megabyte. */
const nameWidth = 60
const problemWidth = 300

/** One line for each thing that keeps a server from being used. */
export function warningsOf({ servers, problems }: FileServers, lang: Lang): string[] {
  const lines = servers.flatMap((server) => {
    const { source } = server
    const name = toPlainLine(server.name, nameWidth)
    if (server.status === 'invalid') {
      const problem = toPlainLine(server.problem, problemWidth)
      return words.invalid(name, source.path, problem)[lang]
    }
    const isOpen = server.status === 'untrusted' && server.verdict === undefined
    return isOpen ? words.untrusted(name, source.path)[lang] : []
  })
  return [...problems, ...lines].map((line) => toPlainLine(line))
}

async function judge(found: FoundEntry, options: ReadOptions): Promise<FileServer> {
  const { name, source } = found
  const entry = isPlainObject(found.entry) ? found.entry : undefined
  if (entry?.disabled === true) {
    return { status: 'disabled', name, source, transport: transportOf(entry) }
  }
  const checked = await check(found, options)
  if (checked.status === 'invalid' || !entry) return checked
  if (!isOfProject(source) || options.flags.trustsProjectMcp) return checked
  const hash = hashOf(entry)
  const verdict = await options.trust.verdictOf({ folder: options.folder, name, hash })
  if (verdict === 'trusted') return { ...checked, hash }
  const { folder, env: variables, lang } = options
  const shown = await showEntry(entry, { folder, variables, lang })
  const transport = transportOf(entry)
  return { status: 'untrusted', name, source, transport, shown, hash, verdict }
}

type Checked = Extract<FileServer, { status: 'ok' | 'invalid' }>

async function check({ name, entry, source }: FoundEntry, options: ReadOptions): Promise<Checked> {
  const { lang, home, env, folder } = options
  const invalid = (problem: string): Checked => ({ status: 'invalid', name, source, problem })
  const place = isOfProject(source)
    ? { variables: env, home, base: folder, cwd: folder }
    : { variables: env, home, base: dirname(source.path) }
  const expanded = isPlainObject(entry) ? expandEntry(entry, place) : undefined
  if (expanded && expanded.status !== 'ok')
    return invalid(words[expanded.status](expanded.name)[lang])
  const { parseMcpConfigFile } = await import('@dataagent/schema')
  const [parsed] = parseMcpConfigFile({ servers: [expanded ? { ...expanded.entry, name } : entry] })
  if (parsed?.status !== 'ok') return invalid(parsed?.error.message ?? '')
  return { status: 'ok', name, source, config: toInput(parsed.config) }
}

/** As it is sent: with the values of its secrets. */
function toInput(config: ServerConfig): ServerConfigInput {
  const reveal = (secrets: Record<string, { reveal(): string }>) =>
    Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]))
  if (config.transport === 'stdio') return { ...config, env: reveal(config.env) }
  const { proxy, ...rest } = config
  const headers = reveal(config.headers)
  return { ...rest, headers, ...(proxy && { proxy: proxy.reveal() }) }
}

function transportOf({ transport, type, url }: Entry): Transport {
  const said = transport ?? type
  if (said === 'sse') return 'sse'
  return url === undefined ? 'stdio' : 'http'
}

function isOfProject({ kind }: FileServer['source']): boolean {
  return kind === 'project'
}

/** Of a project's two files the second stands for the first before anybody is asked. */
function withoutHidden(entries: readonly FoundEntry[]): FoundEntry[] {
  const last = new Map(
    entries.filter(({ source }) => isOfProject(source)).map((one) => [one.name, one]),
  )
  return entries.filter((one) => !isOfProject(one.source) || last.get(one.name) === one)
}

/**
 * Takes out what a later server of the same name stands for. One that cannot be used stands for
 * none, and a project does not switch off what is the person's own.
 */
function withoutReplaced(servers: readonly FileServer[]): FileServer[] {
  const standsIn = ({ status, source }: FileServer) =>
    status === 'ok' || (status === 'disabled' && !isOfProject(source))
  const last = new Map(
    servers.flatMap((one, at) => (standsIn(one) ? [[one.name, at] as const] : [])),
  )
  return servers.filter(({ name }, at) => at >= (last.get(name) ?? 0))
}
