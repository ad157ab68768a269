import { AppError, createSecret, type Secret } from '@dataagent/schema'

/** What is asked, and how it is reached. Paths are absolute. */
export type EngineSource =
  | { kind: 'files'; folder: string }
  | { kind: 'duckdb'; path: string }
  | { kind: 'sqlite'; path: string }
  | ({ kind: 'mysql' } & DatabaseAddress)
  | ({ kind: 'postgres' } & DatabaseAddress)

export type DatabaseAddress = { url: Secret } | DatabaseFields

export interface DatabaseFields {
  host: string
  port?: number
  user: string
  password?: Secret
  database: string
  /** `on`: encrypted, the server's certificate checked; `unchecked`: encrypted. Default `off`. */
  ssl?: SslMode
}

export type SslMode = 'off' | 'unchecked' | 'on'

export type DatabaseServer = Required<Omit<DatabaseFields, 'password'>> & { password: Secret }

const defaultPorts = { mysql: 3306, postgres: 5432 } as const
const schemes = { mysql: ['mysql:', 'mariadb:'], postgres: ['postgres:', 'postgresql:'] } as const

/** The fields of an address; `config_invalid` where a URL cannot be read. It is never repeated. */
export function toServer(kind: 'mysql' | 'postgres', address: DatabaseAddress): DatabaseServer {
  const fields = 'url' in address ? fromUrl(kind, address.url.reveal()) : address
  return {
    ssl: 'off',
    ...fields,
    password: fields.password ?? createSecret(''),
    port: fields.port ?? defaultPorts[kind],
  }
}

function fromUrl(kind: 'mysql' | 'postgres', text: string): DatabaseFields {
  const url = URL.parse(text)
  const database = url === null ? '' : decoded(url.pathname.slice(1))
  if (url === null || !isScheme(kind, url.protocol) || url.hostname === '' || database === '') {
    const [scheme] = schemes[kind]
    throw unreadable(`Write it as ${scheme}//user:password@host:port/database.`)
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(url.port !== '' && { port: Number(url.port) }),
    user: decoded(url.username),
    password: createSecret(decoded(url.password)),
    database,
    ssl: toSslMode(url.searchParams),
  }
}

function isScheme(kind: 'mysql' | 'postgres', protocol: string): boolean {
  return schemes[kind].some((scheme) => scheme === protocol)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw unreadable('A % in it is not followed by two hexadecimal digits.')
  }
}

/** As the command-line tools of both databases name the modes. */
function toSslMode(params: URLSearchParams): SslMode {
  const mode = (params.get('sslmode') ?? params.get('ssl-mode') ?? params.get('ssl') ?? 'off')
    .toLowerCase()
    .replaceAll('_', '-')
  if (['off', 'false', '0', 'disable', 'disabled'].includes(mode)) return 'off'
  if (['require', 'required', 'unchecked', 'no-verify'].includes(mode)) return 'unchecked'
  const checked = ['on', 'true', '1', 'verify-ca', 'verify-full', 'verify-identity']
  if (checked.includes(mode)) return 'on'
  throw unreadable(`The mode of encryption "${mode}" is not known: off, unchecked or on.`)
}

function unreadable(how: string): AppError {
  return new AppError('config_invalid', `The address of the database cannot be read. ${how}`)
}
