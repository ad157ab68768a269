import type { PasteOptions, PastePreview } from './contract.ts'
import { fromCommands } from './from-command.ts'
import { fromDeeplink, isDeeplink } from './from-deeplink.ts'
import { type Drafts, entriesMax, fromJson } from './from-json.ts'
import { fromMcpAdd, isMcpAdd } from './from-mcp-add.ts'
import { fromObject } from './from-object.ts'
import { fromToml, isCodexToml } from './from-toml.ts'
import { readJsonc } from './read-jsonc.ts'
import { splitShell } from './split-shell.ts'
import { toEntries } from './to-entries.ts'
import { unwrap } from './unwrap.ts'

const textMax = 1 << 20

const known =
  'a JSON configuration (mcpServers, servers, server.json), a TOML table [mcp_servers.…], a URL, a command line such as "npx -y package", "claude mcp add …" or a Cursor link'

/**
 * Finds the servers in whatever was pasted. Nothing is run, reached, stored or expanded. Never
 * throws; its cost grows with the length of the text and no faster.
 */
export function parsePaste(text: string, { taken = new Set() }: PasteOptions = {}): PastePreview {
  if (text.length > textMax) return nothing(`the text is longer than ${textMax} characters`)
  const bare = unwrap(text)
  if (bare === '') return nothing(`there is nothing to read: paste ${known}`)
  const found = read(bare)
  if (typeof found === 'string') return nothing(found)
  const { form, drafts } = found
  if (drafts.length === 0) return { ...nothing('there is no server in it'), form }
  const entries = toEntries(drafts.slice(0, entriesMax), taken)
  if (drafts.length <= entriesMax) return { form, entries }
  return { form, entries, error: `only the first ${entriesMax} servers were read` }
}

function nothing(error: string): PastePreview {
  return { form: undefined, entries: [], error }
}

/** The drafts, or why there are none. */
function read(text: string): Drafts | string {
  if (isDeeplink(text)) return { form: 'cursor_deeplink', drafts: fromDeeplink(text) }
  if (/^https?:\/\/\S+$/i.test(text)) return { form: 'url', drafts: [fromObject({ url: text })] }
  if (isCodexToml(text)) return fromToml(text) ?? 'this looks like TOML, and cannot be read as such'
  if (/^[{["/]/.test(text)) {
    const drafts = readJsonText(text)
    if (drafts || !text.startsWith('/') || text.startsWith('//')) {
      return drafts ?? 'this looks like JSON, and no server can be found in it'
    }
  }
  return readShell(text) ?? `this is nothing that can be read as a server: paste ${known}`
}

/** Also what stands within an object, pasted without its braces: `"name": { … },`. */
function readJsonText(text: string): Drafts | undefined {
  const value = readJsonc(text)
  if (value !== undefined || /^[{[]/.test(text)) return fromJson(value)
  return fromJson(readJsonc(`{${text.replace(/,\s*$/, '')}}`))
}

function readShell(text: string): Drafts | undefined {
  const commands = splitShell(text).slice(0, entriesMax + 1)
  if (commands.some(isMcpAdd)) {
    const drafts = commands.filter(isMcpAdd).map(fromMcpAdd)
    return { form: 'claude_mcp_add', drafts }
  }
  const drafts = fromCommands(commands)
  return drafts && { form: 'command_line', drafts }
}
