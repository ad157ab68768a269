import { isClientError } from '@dataagent/client'

/** What can go wrong with a source or a statement, as far as people do something else about it. */
export type FaultKind =
  | 'unreachable'
  | 'password'
  | 'database'
  | 'address'
  | 'file'
  | 'inUse'
  | 'off'
  | 'busy'
  | 'brokenOff'
  | 'writes'
  | 'several'
  | 'notOffered'
  | 'grant'
  | 'name'
  | 'statement'
  | 'timeout'
  | 'memory'
  | 'longValue'
  | 'longSql'
  | 'cancelled'
  | 'source'
  | 'sealed'

export interface Fault {
  kind: FaultKind
  /** In the words of the source or the server. */
  said: string
}

/** How the server and databases say it; the first that fits. */
const patterns: readonly (readonly [RegExp, FaultKind])[] = [
  [/^There is no source/, 'source'],
  [/^The source .* is switched off/, 'off'],
  [/is a private address|ALLOWED_ADDRESSES|where the platform may not go/, 'address'],
  [/^The database does not let this source in/, 'password'],
  [/^How the source is reached cannot be read/, 'sealed'],
  [/Access denied for user .*(?:using password|to database)/, 'password'],
  [/password authentication failed|no pg_hba\.conf entry|role ".*" does not exist/, 'password'],
  [/Unknown database|database ".*" does not exist/, 'database'],
  [/^The (?:folder|file) of this source is not there|^The database file is not there/, 'file'],
  [/in use by a program that writes|written while it was read|file cannot be read now/, 'inUse'],
  [/^Too many queries/, 'busy'],
  [/process that ran the query has ended|connection to the database has ended/, 'brokenOff'],
  [/^This source was closed|^The sources are closed/, 'brokenOff'],
  [
    /does not answer|^The name .* is not known|database is not reachable|did not open/,
    'unreachable',
  ],
  [/^The query was stopped after|statement timeout|max_statement_time|max_execution/, 'timeout'],
  [/more memory than it may have/, 'memory'],
  [/^A value of the column|^A row of the result is over/, 'longValue'],
  [/^The SQL has more than|characters; at most \d+ are taken/, 'longSql'],
  [/^The query was cancelled/, 'cancelled'],
  [/^Only one statement|^Send one statement/, 'several'],
  [/^Only (?:statements that read|SELECT statements)|only reading is offered/, 'writes'],
  [/INTO writes|Rows are not locked|Sequences are not advanced|EXPLAIN ANALYZE runs/, 'writes'],
  [/read-only transaction|READ ONLY transaction|--read-only/, 'writes'],
  [/is not offered|are not taken|Only a SELECT can be explained/, 'notOffered'],
  [/permission denied|command denied|not authorized|prohibited/, 'grant'],
  [/^There is no table|no such (?:table|column)|Unknown (?:table|column)/, 'name'],
  [/(?:relation|column|schema) .* does not exist|Table .* doesn't exist/, 'name'],
  [/Table with name .* does not exist|Referenced (?:column|table) .* not found/, 'name'],
]

/** What a code says of itself where nothing more is known. */
const byCode: Readonly<Record<string, FaultKind>> = {
  ...{ invalid_request: 'statement', timeout: 'timeout', cancelled: 'cancelled' },
  ...{ egress_denied: 'address', secret_unreadable: 'sealed' },
}

/** Undefined for an error that is of neither a source nor a statement. */
export function toFault(error: unknown): Fault | undefined {
  if (!isClientError(error) || Array.isArray(error.details?.errors)) return undefined
  return toCodedFault(error.error_code, error.message)
}

/** Tools of the platform that ask sources. */
const askingTools = new Set(['run_sql', 'describe_source', 'profile_table'])

/** Why a call of an agent has asked a source in vain; undefined for all other calls. */
export function toToolFault(call: {
  name: string
  server_id: string | undefined
  state: string
  result: unknown
}): Fault | undefined {
  const { name, server_id, state, result } = call
  if (state !== 'error' || server_id !== undefined || !askingTools.has(name)) return undefined
  const { code, message } = (result ?? {}) as Record<string, unknown>
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return toCodedFault(code, message)
}

function toCodedFault(code: string, said: string): Fault | undefined {
  const kind = kindOf(said) ?? byCode[code]
  return kind && { kind, said }
}

/** Why a source cannot be asked, as its state tells it: all of it to administrators alone. */
export function toSourceFault(said = ''): Fault {
  return { kind: kindOf(said) ?? 'unreachable', said }
}

/** Why a statement gave nothing, as the log tells it. */
export function toStatementFault(said: string): Fault {
  return { kind: kindOf(said) ?? 'statement', said }
}

function kindOf(said: string): FaultKind | undefined {
  return patterns.find(([pattern]) => pattern.test(said))?.[1]
}
