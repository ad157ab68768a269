import { join } from 'node:path'
import { isAppError, isPlainObject, type JsonValue } from '@dataagent/schema/base'
import type { Variables } from './expand.ts'
import { parseJsonc, toValue } from './jsonc/parse-jsonc.ts'
import { readText } from './read-text.ts'

/** What another program keeps about MCP servers: as much of its file as speaks of them. */
export interface FoundConfig {
  /** The program. */
  product: string
  path: string
  /** It came with the folder: whoever made that has written it, not this person. */
  isOfFolder: boolean
  /** As a person would paste it. */
  text: string
}

export interface FindPlace {
  home: string
  folder: string
  env: Variables
  platform: NodeJS.Platform
}

/** Some keep their whole history in the same file. */
const fileMax = 32 * 1024 * 1024

/** The configurations of other programs on this machine; what it cannot read it leaves out. */
export async function findConfigs(place: FindPlace): Promise<FoundConfig[]> {
  const found = await Promise.all(
    candidatesOf(place).map(async (candidate) => {
      const { path } = candidate
      const file = await readText(path, fileMax)
      const text = file.status === 'ok' ? toPaste(path, file.text, place.folder) : undefined
      return text === undefined ? [] : [{ ...candidate, text }]
    }),
  )
  return found.flat()
}

/** The person's own come first: of two under one name the first stays. */
function candidatesOf(place: FindPlace): Omit<FoundConfig, 'text'>[] {
  const { home, folder } = place
  const settings = settingsFolder(place)
  const own = [
    { product: 'Claude Desktop', path: join(settings, 'Claude', 'claude_desktop_config.json') },
    { product: 'Claude Code', path: join(home, '.claude.json') },
    { product: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
    { product: 'VS Code', path: join(settings, 'Code', 'User', 'mcp.json') },
    { product: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    { product: 'Codex', path: join(home, '.codex', 'config.toml') },
    { product: 'Gemini', path: join(home, '.gemini', 'settings.json') },
  ]
  const ofFolder = [
    { product: 'Claude Code', path: join(folder, '.mcp.json') },
    { product: 'Cursor', path: join(folder, '.cursor', 'mcp.json') },
    { product: 'VS Code', path: join(folder, '.vscode', 'mcp.json') },
    { product: 'Gemini', path: join(folder, '.gemini', 'settings.json') },
  ]
  // In the home folder they are the same files.
  const paths = new Set(own.map(({ path }) => path))
  return [
    ...own.map((one) => ({ ...one, isOfFolder: false })),
    ...ofFolder.filter(({ path }) => !paths.has(path)).map((one) => ({ ...one, isOfFolder: true })),
  ]
}

function settingsFolder({ home, env, platform }: FindPlace): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming')
  return env.XDG_CONFIG_HOME || join(home, '.config')
}

/** Undefined where it says nothing of servers. */
function toPaste(path: string, text: string, folder: string): string | undefined {
  if (path.endsWith('.toml')) return serverTables(text)
  try {
    const servers = serversIn(toValue(parseJsonc(text)), folder)
    return servers && JSON.stringify({ mcpServers: servers })
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

function serversIn(value: JsonValue, folder: string): Record<string, unknown> | undefined {
  if (!isPlainObject(value)) return undefined
  const { mcpServers, servers, mcp, projects } = value
  const project = isPlainObject(projects) ? projects[folder] : undefined
  const sections = [
    mcpServers,
    servers,
    isPlainObject(mcp) ? mcp.servers : undefined,
    isPlainObject(project) ? project.mcpServers : undefined,
  ]
  const entries = sections.flatMap((section) =>
    isPlainObject(section) ? Object.entries(section) : [],
  )
  const all = Object.fromEntries(entries)
  return Object.keys(all).length === 0 ? undefined : all
}

/** The lines of the tables [mcp_servers.…] of a TOML file, and no others. */
function serverTables(text: string): string | undefined {
  let isOurs = false
  const lines = text.split('\n').filter((line) => {
    if (/^\s*\[/.test(line)) isOurs = /^\s*\[\[?\s*["']?mcp_servers["']?\s*[.\]]/.test(line)
    return isOurs
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
