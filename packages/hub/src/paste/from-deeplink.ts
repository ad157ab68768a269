import { isPlainObject } from '@dataagent/schema'
import { type Draft, unusable } from './draft.ts'
import { entriesMax } from './from-json.ts'
import { fromObject } from './from-object.ts'
import { toName } from './names.ts'
import { readJsonc } from './read-jsonc.ts'

/** `cursor://anysphere.cursor-deeplink/mcp/install?…`, or the same behind a web address. */
export function isDeeplink(text: string): boolean {
  return /^(cursor:\/\/|https:\/\/(www\.)?cursor\.com\/([a-z-]{2,8}\/)?install-mcp\?)/i.test(text)
}

/** The server of a link that Cursor would install; its configuration is JSON in base64. */
export function fromDeeplink(link: string): Draft[] {
  const query = URL.parse(link.trim())?.searchParams
  const name = query?.get('name') ?? ''
  const config = query?.get('config') ?? ''
  const value = readJsonc(decode(config))
  if (!isPlainObject(value))
    return [unusable(toName(name), "the link's configuration cannot be read")]
  if (hasWay(value)) return [fromObject(value, name || undefined)]
  const inner = isPlainObject(value.mcpServers) ? value.mcpServers : value
  const entries = Object.entries(inner).slice(0, entriesMax + 1)
  return entries.map(([key, entry]) => fromObject(entry, key))
}

function hasWay(value: Record<string, unknown>): boolean {
  return ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => field in value)
}

/** A plus sign that was not escaped in the link has become a space. */
function decode(config: string): string {
  if (config.trimStart().startsWith('{')) return config
  return Buffer.from(config.replaceAll(' ', '+'), 'base64').toString()
}
