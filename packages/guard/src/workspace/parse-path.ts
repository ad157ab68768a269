import { AppError } from '@dataagent/schema/base'
import { isReservedName } from './temp-names.ts'

/** NAME_MAX of the usual file systems, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255
/** Leaves room for the root within PATH_MAX (4096). */
const MAX_PATH_BYTES = 3072

/**
 * The names a workspace path walks through, without `.`, `..` and empty ones; none for the root
 * itself. Throws `path_denied` for anything that is not a relative path inside the workspace.
 *
 * Names are compared byte for byte: NFC and NFD spellings are two names, and look-alikes of `.` and
 * `/` are ordinary letters (a file system that folds them, such as APFS, still does so below us).
 */
export function parsePath(path: string, platform: NodeJS.Platform = process.platform): string[] {
  refuseOddText(path)
  refuseAbsolute(path)
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(checkName(name, path, platform))
    else if (names.pop() === undefined) throw denied(path, 'leads out of the workspace')
  }
  return names
}

/** A path as it may be shown in a message: quoted, with control characters escaped, not endless. */
export function quotePath(path: string): string {
  const text = typeof path === 'string' ? path : String(path)
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

function refuseOddText(path: string): void {
  if (typeof path !== 'string' || path === '') throw denied(path, 'is not a path')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw denied(path, 'is too long')
  if (path.includes('\0')) throw denied(path, 'contains a NUL character')
  if (!path.isWellFormed()) throw denied(path, 'is not valid Unicode')
}

function refuseAbsolute(path: string): void {
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw denied(path, 'is absolute')
  if (path.includes('\\')) throw denied(path, 'contains a backslash')
}

function checkName(name: string, path: string, platform: NodeJS.Platform): string {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw denied(path, 'has a name that is too long')
  if (isReservedName(name)) throw denied(path, 'has a name that is kept for temporary files')
  if (platform === 'win32' && isOddOnWindows(name)) {
    throw denied(path, 'has a name that Windows treats in a special way')
  }
  return name
}

/**
 * Windows drops trailing dots and spaces, reads `:` as a stream, and knows devices by name in every
 * directory.
 */
function isOddOnWindows(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[. ]$|[<>:"|?*\u0000-\u001f]/.test(name)) return true
  return /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(\.|$)/i.test(name)
}

function denied(path: string, why: string): AppError {
  return new AppError(
    'path_denied',
    `The path ${quotePath(path)} ${why}. Allowed are paths inside the workspace, ` +
      'relative to its root and with "/" between names, such as files/report.csv',
  )
}
