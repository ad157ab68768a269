import { AppError } from '@dataagent/schema/base'

/**
 * What nearly every program needs to run, and nothing that holds a credential (proxy settings may).
 */
const baseNames = {
  posix: ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'],
  windows: [
    'PATH',
    'PATHEXT',
    'SystemRoot',
    'SystemDrive',
    'USERNAME',
    'USERPROFILE',
    'APPDATA',
    'LOCALAPPDATA',
    'TEMP',
    'TMP',
  ],
} as const

export type Environment = Readonly<Record<string, string>>

/** Picks the few variables that programs need from `from` (usually the host's own environment). */
export function baseEnvironment(
  from: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = process.platform === 'win32' ? baseNames.windows : baseNames.posix
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = from[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/**
 * Refuses what cannot be an environment; a NUL would also start a new option in a list of
 * arguments.
 */
export function checkEnvironment(env: Environment): void {
  for (const [name, value] of Object.entries(env)) {
    if (/^[^=\0]+$/.test(name) && !value.includes('\0')) continue
    throw new AppError(
      'invalid_request',
      `The environment variable ${JSON.stringify(name)} cannot be set: a name may not be empty or hold "=", and neither name nor value may hold a NUL. Correct it and start again.`,
    )
  }
}
