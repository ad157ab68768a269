import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const places = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]

export type Bubblewrap =
  | { status: 'ready'; path: string; options: ReadonlySet<string> }
  | { status: 'missing' }
  | { status: 'broken'; path: string; reason: string }

/** Options that newer versions have; each makes the sandbox tighter and is used where present. */
const newerOptions = ['--disable-userns', '--size'] as const

const ready = new Map<string, Bubblewrap>()

/**
 * Looks for bubblewrap, at `path` only where given, and tries once whether it may make namespaces
 * here.
 */
export async function findBubblewrap(path?: string): Promise<Bubblewrap> {
  const found = (path === undefined ? places : [path]).find((place) => existsSync(place))
  if (found === undefined) return { status: 'missing' }
  const known = ready.get(found)
  if (known) return known
  const tried = await tryBubblewrap(found)
  if (tried.status === 'ready') ready.set(found, tried)
  return tried
}

async function tryBubblewrap(path: string): Promise<Bubblewrap> {
  try {
    const { stdout } = await run(path, ['--help'], { env: {} })
    const options = new Set(newerOptions.filter((option) => stdout.includes(option)))
    const args = [
      ...isolation(options),
      '--ro-bind',
      '/',
      '/',
      '--proc',
      '/proc',
      '--remount-ro',
      '/proc',
      '--dev',
      '/dev',
    ]
    await run(path, [...args, '--', path, '--version'], { env: {}, timeout: 10_000 })
    return { status: 'ready', path, options }
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    return { status: 'broken', path, reason: stderr?.trim() || message }
  }
}

/**
 * The namespaces and privileges of every sandbox; what it can see comes on top. Its parent, with
 * which it dies, is the thread that starts it.
 */
export function isolation(options: ReadonlySet<string>, network = false): string[] {
  return [
    '--die-with-parent',
    '--new-session',
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--unshare-user',
    ...['--uid', '65534', '--gid', '65534'],
    ...(options.has('--disable-userns') ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL'],
  ]
}
