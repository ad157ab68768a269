import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { AppError } from '@dataagent/schema/base'
import type { Environment } from './environment.ts'
import type { ProcessLimits } from './limits.ts'

/** What a sandboxed process may see and use beyond the system's programs and libraries. */
export interface SandboxOptions {
  /**
   * `required`: without bubblewrap nothing is started. `preferred`: without it the process runs
   * unsandboxed and its handle says so. `off`: never.
   */
  mode: 'required' | 'preferred' | 'off'
  /**
   * Whether it may use the network; otherwise it has a loopback of its own and nothing else.
   * Default false.
   */
  network?: boolean
  /**
   * `declared` (default): the system's programs and what is declared below. `host`: it may read
   * what the host may read, apart from `hide`, other processes and their temporary files.
   */
  files?: 'declared' | 'host'
  /** Absolute paths it does not see, apart from what is declared within. One may be missing. */
  hide?: readonly string[]
  /** Absolute paths it may read. */
  read?: readonly string[]
  /** Absolute paths it may read and write. */
  write?: readonly string[]
  limits?: ProcessLimits
  /** Where bubblewrap is, when not in a usual place. */
  bubblewrap?: string
}

type Mount =
  | { kind: 'ro-bind' | 'bind' | 'ro-bind-try' | 'symlink'; source: string; dest: string }
  | { kind: 'tmpfs' | 'proc' | 'dev'; dest: string }

const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** Public by nature. Not /etc/ssl and /etc/pki as a whole: private keys lie there too. */
const systemSettings = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]
const networkSettings = [
  '/etc/gai.conf',
  '/etc/host.conf',
  '/etc/hosts',
  '/etc/resolv.conf',
  '/etc/services',
]
const tmpBytes = 256 * 1024 * 1024

/** The user that a process in the sandbox sees itself to be. */
export const sandboxPasswd = 'nobody:x:65534:65534:nobody:/tmp:/bin/sh\n'

/**
 * The variables and mounts of a sandbox as bubblewrap options. They are handed over through a
 * descriptor: a command line can be read by every user of the machine, and variables hold secrets.
 */
export async function toSandboxView(needs: {
  file: string
  env: Environment
  cwd: string | undefined
  sandbox: SandboxOptions
  hasSize: boolean
  passwdFd: number
}): Promise<string[]> {
  const { file, env, sandbox } = needs
  const isHost = sandbox.files === 'host'
  const seen = isHost ? hostMounts : await systemMounts(sandbox.network ?? false)
  const hidden = await hiddenMounts(sandbox.hide ?? [])
  const view = createView([...seen, ...(await declaredMounts(sandbox))], hidden)
  for (const program of [file, ...nodeFiles()]) await view.expose(program)
  if (needs.cwd !== undefined) await view.expose(needs.cwd)
  // A platform that is installed among temporary files is seen all the same.
  const isApart = !ownMounts.some(({ dest }) => dest === process.cwd())
  if (isHost && isApart) await view.expose(process.cwd())
  for (const folder of [env.HOME, env.TMPDIR]) view.makeFolder(folder)
  const here = isHost && view.isSeen(process.cwd()) ? process.cwd() : '/tmp'
  return [
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...view.mounts().flatMap((mount) => toOptions(mount, needs.hasSize)),
    ...['--ro-bind-data', String(needs.passwdFd), '/etc/passwd'],
    ...['--chdir', needs.cwd ?? here],
    // Under a host that is root its "nobody" is root to the kernel, which lets root change settings
    // in /proc/sys.
    ...['--remount-ro', '/proc'],
    // What is written there would be lost, which nobody would notice.
    ...hidden.flatMap(({ kind, dest }) => (kind === 'tmpfs' ? ['--remount-ro', dest] : [])),
    ...['--remount-ro', '/'],
  ]
}

/** What a process has for itself, whatever else it sees. */
const ownMounts: Mount[] = [
  { kind: 'proc', dest: '/proc' },
  { kind: 'dev', dest: '/dev' },
  { kind: 'tmpfs', dest: '/dev/shm' },
  { kind: 'tmpfs', dest: '/tmp' },
]

const hostMounts: Mount[] = [{ kind: 'ro-bind', source: '/', dest: '/' }, ...ownMounts]

async function hiddenMounts(paths: readonly string[]): Promise<Mount[]> {
  const found = (await Promise.all(paths.map(toHidden))).flat()
  const mounts = [...new Map(found.map((mount) => [mount.dest, mount])).values()]
  const folders = mounts.filter(({ kind }) => kind === 'tmpfs')
  return mounts.filter(
    (mount) => !folders.some((other) => other !== mount && isWithin(mount.dest, other.dest)),
  )
}

async function toHidden(path: string): Promise<Mount[]> {
  const dest = await realpath(path).catch(() => undefined)
  if (dest === undefined) return []
  const isFolder = (await stat(dest)).isDirectory()
  return [isFolder ? { kind: 'tmpfs', dest } : { kind: 'ro-bind', source: '/dev/null', dest }]
}

async function declaredMounts(sandbox: SandboxOptions): Promise<Mount[]> {
  const { read = [], write = [], files } = sandbox
  // Where links are seen as they are, nothing can be put in the place of one.
  const place = async (asked: string) => {
    const path = await toDeclared(asked)
    return files === 'host' ? await realpath(path) : path
  }
  const [reads, writes] = [await Promise.all(read.map(place)), await Promise.all(write.map(place))]
  return [
    ...reads.map((path): Mount => ({ kind: 'ro-bind', source: path, dest: path })),
    ...writes.map((path): Mount => ({ kind: 'bind', source: path, dest: path })),
  ]
}

async function toDeclared(asked: string): Promise<string> {
  const path = resolve(asked)
  const isPrivate = ['/proc', '/sys', '/dev'].some((folder) => isWithin(path, folder))
  if (!isAbsolute(asked) || asked.includes('\0') || isPrivate || path === '/') {
    throw new AppError(
      'invalid_request',
      `The path ${JSON.stringify(asked)} cannot be opened to a sandbox. Give an absolute path that is not the root, /proc, /sys or /dev.`,
    )
  }
  if (await stat(path).catch(() => undefined)) return path
  throw new AppError(
    'process_failed',
    `The path "${path}" that the sandbox is to see does not exist. Make it, or take it from the list.`,
  )
}

async function systemMounts(network: boolean): Promise<Mount[]> {
  const folders = await Promise.all(systemFolders.map(toSystemMount))
  const settings = network ? [...systemSettings, ...networkSettings] : systemSettings
  return [
    ...folders.flat(),
    ...settings.map((path): Mount => ({ kind: 'ro-bind-try', source: path, dest: path })),
    ...ownMounts,
  ]
}

async function toSystemMount(path: string): Promise<Mount[]> {
  const found = await lstat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isSymbolicLink()) return [{ kind: 'ro-bind', source: path, dest: path }]
  return [{ kind: 'symlink', source: await readlink(path), dest: path }]
}

/** This Node and the npm beside it, so that a command written for Node finds its interpreter. */
function nodeFiles(): string[] {
  const folder = dirname(process.execPath)
  const besides = ['npm', 'npx', join('..', 'lib', 'node_modules', 'npm')]
  return [process.execPath, ...besides.map((name) => join(folder, name))]
}

function createView(shown: readonly Mount[], hidden: readonly Mount[]) {
  const mounts = [...shown, ...hidden]

  /** The innermost mount decides, of two the later. */
  const isSeen = (path: string) => {
    const around = mounts.filter(({ dest }) => isWithin(path, dest)).toSorted(outerFirst)
    return around.length > 0 && around.at(-1)!.kind !== 'tmpfs'
  }

  return {
    isSeen,
    /** Shows one more path, readable, unless it is seen already, is hidden or does not exist. */
    async expose(path: string): Promise<void> {
      const real = await realpath(path).catch(() => undefined)
      if (real === undefined || path === '/' || hidden.some(({ dest }) => dest === real)) return
      if (!isSeen(path) && real !== path) mounts.push({ kind: 'symlink', source: real, dest: path })
      if (!isSeen(real)) mounts.push({ kind: 'ro-bind', source: real, dest: real })
    },
    /** An empty folder of its own, where programs expect one. */
    makeFolder(path: string | undefined): void {
      if (path === undefined || !isAbsolute(path) || resolve(path) !== path || path === '/') return
      if (!isSeen(path)) mounts.push({ kind: 'tmpfs', dest: path })
    },
    /** Outer folders first: a mount hides what was mounted below it before. */
    mounts: () => mounts.toSorted(outerFirst),
  }
}

function toOptions(mount: Mount, hasSize: boolean): string[] {
  const size = mount.kind === 'tmpfs' && hasSize ? ['--size', String(tmpBytes)] : []
  const source = 'source' in mount ? [mount.source] : []
  return [...size, `--${mount.kind}`, ...source, mount.dest]
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(folder + sep)
}

function outerFirst(a: Mount, b: Mount): number {
  return depth(a.dest) - depth(b.dest)
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split(sep).length
}
