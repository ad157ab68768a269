import type {
  SecretView,
  ServerConfigInput,
  ServerInfo,
  ServerUpdateInput,
  Transport,
} from '@dataagent/schema'
import { infoOnly } from '../info-only.ts'
import { toLines, toLinesText, toList } from './lists.ts'

export type Scope = 'user' | 'tenant' | 'platform'
export type ApprovalChoice = ServerInfo['approval']

/** A value with its name. `kept` is one that is stored: it stays unless another is written. */
export interface Pair {
  id: number
  name: string
  value: string
  kept?: SecretView | undefined
}

/** A server as the form has it: texts as they are written. */
export interface Draft {
  scope: Scope
  name: string
  transport: Transport
  command: string
  args: string
  env: readonly Pair[]
  url: string
  /** The header Authorization, without `Bearer`. */
  token: Pair
  headers: readonly Pair[]
  timeout: string
  description: string
  keywords: string
  allowedTools: string
  blockedTools: string
  approval: ApprovalChoice
  credentials: ServerInfo['credentials']
  quarantine: boolean
  /** What the form does not show; it goes back as it came. */
  rest: Readonly<Record<string, unknown>>
}

let pairs = 0

export function newPair(name = '', value: string | SecretView = ''): Pair {
  pairs += 1
  if (typeof value === 'string') return { id: pairs, name, value }
  return { id: pairs, name, value: '', kept: value }
}

export function emptyDraft(): Draft {
  return {
    ...{ scope: 'user', name: '', transport: 'http', command: '', args: '', env: [] },
    ...{ url: '', token: newPair('Authorization'), headers: [], timeout: '30', description: '' },
    ...{ keywords: '', allowedTools: '', blockedTools: '', approval: 'default' },
    ...{ credentials: 'shared', quarantine: false, rest: {} },
  }
}

const ofInfo = new Set(infoOnly)
const ofForm = new Set<string>([
  ...['name', 'transport', 'command', 'args', 'env', 'url', 'headers', 'timeout', 'description'],
  ...['trigger_keywords', 'allowedTools', 'blockedTools', 'approval', 'credentials', 'quarantine'],
])

/** What the form can show of a configuration: a stored one, an example, or what was pasted. */
export function fromConfig(config: ServerInfo | ServerConfigInput, scope: Scope = 'user'): Draft {
  const given = config as Partial<Record<string, unknown>> & { name: string }
  const text = (name: string) => (typeof given[name] === 'string' ? String(given[name]) : '')
  const texts = (name: string) => (Array.isArray(given[name]) ? (given[name] as string[]) : [])
  const headers = toPairs(given.headers)
  const token = headers.find(isToken)
  const entries = Object.entries(given).filter(([key]) => !ofInfo.has(key) && !ofForm.has(key))
  const empty = emptyDraft()
  return {
    ...{ ...empty, scope, name: given.name, transport: transportOf(given) },
    ...{ command: text('command'), args: toLinesText(texts('args')), env: toPairs(given.env) },
    ...{ url: text('url'), headers: headers.filter((pair) => pair !== token) },
    token: token ? { ...token, value: token.value.replace(/^Bearer\s+/i, '') } : empty.token,
    timeout: String(given.timeout ?? empty.timeout),
    // One that nobody has written is the name.
    description: text('description') === given.name ? '' : text('description'),
    keywords: texts('trigger_keywords').join(', '),
    allowedTools: texts('allowedTools').join(', '),
    blockedTools: texts('blockedTools').join(', '),
    approval: (given.approval as ApprovalChoice | undefined) ?? 'default',
    credentials: given.credentials === 'user' ? 'user' : 'shared',
    quarantine: given.quarantine === true,
    rest: Object.fromEntries(entries),
  }
}

/** What is sent to add or to change it. Kept values go back as they were shown. */
export function toConfig(draft: Draft): ServerConfigInput {
  const { cwd, proxy, ...rest } = draft.rest
  const isLocal = draft.transport === 'stdio'
  const way = isLocal
    ? {
        ...{ command: draft.command.trim(), args: toLines(draft.args), env: fromPairs(draft.env) },
        ...(cwd !== undefined && { cwd }),
      }
    : {
        ...{ url: draft.url.trim(), headers: fromPairs([...tokenOf(draft), ...draft.headers]) },
        ...(proxy !== undefined && { proxy }),
      }
  const description = draft.description.trim()
  const config = {
    ...{ ...rest, name: draft.name.trim(), transport: draft.transport, ...way },
    ...{ timeout: Number(draft.timeout) || 0, trigger_keywords: toList(draft.keywords) },
    allowedTools: toList(draft.allowedTools),
    blockedTools: toList(draft.blockedTools),
    ...{ approval: draft.approval, quarantine: draft.quarantine },
    credentials: draft.scope === 'user' ? ('shared' as const) : draft.credentials,
    ...(description !== '' && { description }),
  }
  return config as ServerConfigInput
}

/** All of a stored server, to be sent back with a change of something. */
export function toUpdate(info: ServerInfo, change: { disabled: boolean }): ServerUpdateInput {
  const entries = Object.entries(info).filter(([key]) => !ofInfo.has(key))
  return { ...Object.fromEntries(entries), ...change } as ServerUpdateInput
}

function transportOf({ transport, command }: Partial<Record<string, unknown>>): Transport {
  if (transport === 'stdio' || transport === 'http' || transport === 'sse') return transport
  return command === undefined ? 'http' : 'stdio'
}

function isToken({ name, value, kept }: Pair): boolean {
  return name.toLowerCase() === 'authorization' && (kept !== undefined || /^Bearer\s/i.test(value))
}

function tokenOf({ token }: Draft): Pair[] {
  const value = token.value.trim()
  if (value === '') return token.kept ? [token] : []
  return [{ ...token, value: /\s/.test(value) ? value : `Bearer ${value}` }]
}

function toPairs(record: unknown): Pair[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).map(([name, value]) => newPair(name, value))
}

function fromPairs(all: readonly Pair[]): Record<string, string | SecretView> {
  const named = all.filter(({ name }) => name.trim() !== '')
  return Object.fromEntries(
    named.map(({ name, value, kept }) => [name.trim(), value === '' && kept ? kept : value]),
  )
}
