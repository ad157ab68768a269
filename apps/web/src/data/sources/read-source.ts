import type { DataSource, DataSourceLocationInput, SourceKind } from '@dataagent/schema'

/** A source as its form holds it. What it is reached by is never read from the server. */
export interface SourceFields {
  name: string
  description: string
  kind: SourceKind
  /** Of files: the folder; of DuckDB and SQLite: the file. */
  path: string
  by: 'fields' | 'url'
  url: string
  host: string
  port: string
  database: string
  user: string
  password: string
  ssl: '' | 'on' | 'unchecked' | 'off'
}

const empty: SourceFields = {
  ...{ name: '', description: '', kind: 'postgres', path: '', by: 'fields', url: '', host: '' },
  ...{ port: '', database: '', user: '', password: '', ssl: '' },
}

export function toFields(source: DataSource | undefined): SourceFields {
  if (!source) return empty
  const { name, description, kind } = source
  return { ...empty, name, description, kind }
}

/** Whether it is a database that is reached over the network. */
export function isServed(kind: SourceKind): kind is 'mysql' | 'postgres' {
  return kind === 'mysql' || kind === 'postgres'
}

export function readLocation(fields: SourceFields): DataSourceLocationInput {
  const { kind, by, url, port, password, ssl } = fields
  const path = fields.path.trim()
  if (kind === 'files') return { kind, folder: path }
  if (!isServed(kind)) return { kind, path }
  if (by === 'url') return { kind, url: url.trim() }
  const [host, user, database] = [fields.host, fields.user, fields.database].map((text) =>
    text.trim(),
  ) as [string, string, string]
  return {
    ...{ kind, host, user, database },
    ...(port.trim() !== '' && { port: Number(port) }),
    ...(password !== '' && { password }),
    ...(ssl !== '' && { ssl }),
  }
}
