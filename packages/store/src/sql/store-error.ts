import { AppError, isAppError } from '@dataagent/schema'
import type { Engine } from './engine.ts'

type Fault =
  | 'duplicate'
  | 'missing_parent'
  | 'deadlock'
  | 'busy'
  | 'full'
  | 'too_large'
  | 'away'
  | 'damaged'
  | 'unwritable'
  | 'denied'
  | 'other'

interface DriverError {
  code?: string
  errno?: number
  errcode?: number
  message?: string
}

/** Turns what a driver threw into the AppError that the rest of the product asks by code. */
export function toStoreError(kind: Engine['kind'], error: unknown): AppError {
  if (isAppError(error)) return error
  const fault = faultOf[kind]((error ?? {}) as DriverError)
  const cause = { cause: withoutValues(error), data: { store: kind, fault } }
  switch (fault) {
    case 'duplicate':
      return new AppError('conflict', 'the row exists already', cause)
    case 'missing_parent':
      return new AppError('not_found', 'the row it belongs to does not exist', cause)
    case 'deadlock':
    case 'busy':
      return new AppError('store_unavailable', `the ${kind} database is busy; try again`, cause)
    case 'full':
      return new AppError(
        'storage_full',
        `the disk of the ${kind} database is full; free space and try again`,
        cause,
      )
    case 'too_large':
      return new AppError('too_large', 'the row is larger than the database takes', cause)
    case 'away':
      return new AppError(
        'store_unavailable',
        `the ${kind} database cannot be reached (${reasonOf(error)})`,
        cause,
      )
    case 'damaged':
      return new AppError(
        'store_unavailable',
        `the ${kind} database is damaged, or is no database (${reasonOf(error)})`,
        cause,
      )
    case 'unwritable':
      return new AppError(
        'store_unavailable',
        `the ${kind} database cannot be opened or written (${reasonOf(error)})`,
        cause,
      )
    case 'denied':
      return new AppError(
        'store_unavailable',
        `the ${kind} database denies its user a right that is needed (${deniedBy(error)}): ${rights[kind]}`,
        cause,
      )
    case 'other':
      return new AppError('internal', `the ${kind} database refused a statement`, cause)
  }
}

/** What the user needs, in the words that give it. */
const rights: Record<Engine['kind'], string> = {
  sqlite: 'let it read and write the file',
  mysql: 'GRANT ALL ON its database to it',
  postgres: 'GRANT CREATE, USAGE ON SCHEMA public to it, and let it own its tables',
}

/** Whether the same transaction, run again, may succeed. */
export function isDeadlock(error: unknown): boolean {
  return isAppError(error, 'store_unavailable') && error.data?.fault === 'deadlock'
}

/**
 * Whether the connection that gave this error must not be used again. MySQL closes it after a
 * packet that is too large.
 */
export function breaksConnection(error: AppError): boolean {
  return error.data?.fault === 'away' || error.data?.fault === 'too_large'
}

/**
 * A statement that was given up: whether it took effect is not known, and its connection is gone.
 */
export function slowError(kind: Engine['kind'], ms: number): AppError {
  return new AppError('store_unavailable', `the ${kind} database did not answer within ${ms} ms`, {
    data: { store: kind, fault: 'away' },
  })
}

const faultOf: Record<Engine['kind'], (error: DriverError) => Fault> = {
  sqlite: ({ errcode = 0, message = '' }) => {
    if (errcode === 1555 || errcode === 2067) return 'duplicate'
    if (errcode === 787) return 'missing_parent'
    const primary = errcode & 0xff
    if (primary === 13) return 'full'
    if (primary === 18) return 'too_large'
    // It has waited for its busy timeout already.
    if (primary === 5 || primary === 6) return 'busy'
    // not a database, corrupt
    if (primary === 26 || primary === 11) return 'damaged'
    // read-only, no permission, cannot open; or the file could not be made
    const isDenied = /^E(ACCES|PERM|ROFS|ISDIR|NOTDIR)\b/.test(message)
    if (primary === 8 || primary === 3 || primary === 14 || isDenied) return 'unwritable'
    // I/O error
    return primary === 10 ? 'away' : 'other'
  },
  mysql: ({ errno = 0, code = '' }) => {
    if (errno === 1062) return 'duplicate'
    if (errno === 1452 || errno === 1216) return 'missing_parent'
    if (errno === 1213 || errno === 1205) return 'deadlock'
    if (errno === 1021 || errno === 1114 || errno === 28) return 'full'
    if (errno === 1153 || errno === 1406) return 'too_large'
    if ([1044, 1142, 1143, 1227, 1370].includes(errno)) return 'denied'
    const away = [
      1290, 1836, 1040, 1045, 1049, 1053, 1152, 1158, 1159, 1160, 1161, 1203, 1927, 2013, 2006,
    ]
    return away.includes(errno) || isNetworkCode(code) ? 'away' : 'other'
  },
  postgres: ({ code = '', message = '' }) => {
    if (code === '23505') return 'duplicate'
    if (code === '23503') return 'missing_parent'
    if (code === '40001' || code === '40P01' || code === '55P03') return 'deadlock'
    if (code === '53100') return 'full'
    if (code === '54000' || code === '22001') return 'too_large'
    if (code === '42501') return 'denied'
    const away = /^(08(?!P01)|25006|28|3D|53|57|58)/.test(code) || isNetworkCode(code)
    return away || /connection (terminated|ended|error)|not queryable|timeout/i.test(message)
      ? 'away'
      : 'other'
  },
}

function isNetworkCode(code: string): boolean {
  return /^(E(CONN|PIPE|TIMEDOUT|HOST|NET|AI_|NOTFOUND|NOENT)|PROTOCOL_|ER_CON|HANDSHAKE)/.test(
    code,
  )
}

/**
 * What a driver throws holds the statement with its values (`sql`, `detail`), which are users' own
 * and may be secret. Kept is what tells an operator where to look.
 */
function withoutValues(error: unknown): Error {
  const { message = '', code, errno, errcode } = (error ?? {}) as DriverError
  const quoted = /'(?:[^'\\]|\\.|'')*'/g
  return Object.assign(new Error(message.replace(quoted, "'…'")), { code, errno, errcode })
}

/** The code, and the server's words: they name the right and what it is for. */
function deniedBy(error: unknown): string {
  return `${reasonOf(error)}: ${withoutValues(error).message.split('\n', 1)[0]}`.slice(0, 200)
}

function reasonOf(error: unknown): string {
  const { code, errno, errcode, message = '' } = (error ?? {}) as DriverError
  return String(code ?? errno ?? errcode ?? message.split('\n', 1)[0]).slice(0, 80)
}
