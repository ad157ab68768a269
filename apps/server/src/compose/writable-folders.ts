import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { ServerConfig } from '@dataagent/schema'

type StdioConfig = Extract<ServerConfig, { transport: 'stdio' }>

/** Where programs that others are fetched by keep them, and which those are. */
const caches = {
  '.npm': ['npx', 'npm'],
  '.cache': ['uvx', 'uv', 'pipx', 'deno', 'pnpm', 'yarn'],
  '.local/share/uv': ['uvx', 'uv'],
  '.bun': ['bun', 'bunx'],
  '.mcp-auth': ['mcp-remote'],
}

/** Nothing that a server has to write is there. */
const fixed = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/boot']
const kernel = ['/proc', '/sys', '/dev']
const ownCode = import.meta.dirname

/**
 * The folders that an administrator's server may write: where it starts, those that its arguments
 * and variables name, that of a file they name, and the caches of those who fetch programs.
 */
export function toWritable(config: StdioConfig, home: string = homedir()): string[] {
  const { command, cwd, args, env } = config
  const values = Object.values(env).map((value) => value.reveal())
  const named = [...args, ...values]
    .flatMap(pathsIn)
    .map((path) => folderNamed(path, cwd ?? process.cwd()))
    .filter((folder) => folder !== undefined)
  const asked = cwd === undefined ? named : [resolve(cwd), ...named]
  return [...new Set([...asked.filter(isOpen), ...cachesIn(home, [basename(command), ...args])])]
}

/** Those that are there, and those that the command will want: they are made for it. */
function cachesIn(home: string, words: readonly string[]): string[] {
  if (home === '/' || !isFolder(home)) return []
  const programs = words.map((word) => word.split('@')[0]!)
  return Object.entries(caches).flatMap(([name, users]) => {
    const folder = join(home, name)
    if (users.some((user) => programs.includes(user))) makeFolder(folder)
    return isFolder(folder) ? [folder] : []
  })
}

const textMax = 4_096

/** `/srv/files`, `./files`; also in `--root=/srv/files`, `/srv/a:/srv/b` and `{"at":"/srv/a"}`. */
function pathsIn(text: string): string[] {
  if (text.length > textMax || text.includes('\0')) return []
  const parts = text.split(/["'`=,:;|\s{}[\]()]+/)
  return [text, ...parts].filter((part) => isAbsolute(part) || /^\.{1,2}(\/|$)/.test(part))
}

/** The folder itself, or that of a file, whether that is there yet or not. */
function folderNamed(named: string, cwd: string): string | undefined {
  const path = resolve(cwd, named)
  return [path, dirname(path)].find(isFolder)
}

function isOpen(folder: string): boolean {
  if (folder === '/' || !isFolder(folder)) return false
  return (
    ![...fixed, ...kernel].some((place) => isWithin(folder, place)) && !isWithin(ownCode, folder)
  )
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Where it cannot be made, the program will say so. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {}
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep)
}
