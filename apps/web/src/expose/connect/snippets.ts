import type { ToolGroupInfo } from '@dataagent/schema'

/** How a client shows who it is: a person signs in and allows it, or it has the group's key. */
export type Way = 'sign_in' | 'key'

/** Programs with an address and a configuration of their own. */
export const programs = ['dify', 'claude', 'cursor', 'vscode', 'inspector', 'curl'] as const
export type Program = (typeof programs)[number]

/** Commands: nobody is there to sign in, so they need the key. */
export const isCommand = (program: Program) => program === 'inspector' || program === 'curl'

/** Stands for the key where it is shown; what is copied has the key itself. */
export const maskedKey = 'mk_••••••••'

export interface Addresses {
  /** For this group alone. */
  group: string
  /** For any group: the key or the consent says which. */
  any: string
  sse: string
  jsonrpc: string
}

export function addressesOf({ urls, group_id }: Pick<ToolGroupInfo, 'urls' | 'group_id'>) {
  const { streamable_http: group, sse, jsonrpc } = urls
  const any = group.replace(new RegExp(`/g/${group_id}$`), '')
  return { group, any, sse, jsonrpc } satisfies Addresses
}

interface SnippetOptions {
  group: Pick<ToolGroupInfo, 'urls' | 'group_id'>
  way: Way
}

/** What is put into the program's configuration, with `maskedKey` where the key belongs. */
export function toSnippet(
  program: Exclude<Program, 'dify'>,
  { group, way }: SnippetOptions,
): string {
  const { group_id } = group
  const { group: url } = addressesOf(group)
  const withKey = way === 'key'
  switch (program) {
    case 'claude':
      return toJson({ mcpServers: { [group_id]: claudeEntry(url, withKey) } })
    case 'cursor':
      return toJson({
        mcpServers: { [group_id]: { url, ...(withKey && { headers: bearer(maskedKey) }) } },
      })
    case 'vscode':
      return toJson(withKey ? vscodeWithKey(group_id, url) : vscodeEntry(group_id, { url }))
    case 'inspector':
      return toInspector(url)
    case 'curl':
      return toCurl(url)
  }
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const toJson = (value: unknown) => JSON.stringify(value, null, 2)

/** Claude Desktop reaches servers of one's own network by a small program beside it. */
function claudeEntry(url: string, withKey: boolean) {
  const plain = isPlainHttpElsewhere(url) ? ['--allow-http'] : []
  // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in
  const header = withKey ? ['--header', 'Authorization:${AUTH}'] : []
  return {
    command: 'npx',
    args: ['-y', 'mcp-remote', url, ...plain, ...header],
    ...(withKey && { env: { AUTH: `Bearer ${maskedKey}` } }),
  }
}

function vscodeEntry(group_id: string, fields: object) {
  return { servers: { [group_id]: { type: 'http', ...fields } } }
}

/** VS Code asks for the key and keeps it: the file holds none. */
function vscodeWithKey(group_id: string, url: string) {
  return {
    inputs: [{ type: 'promptString', id: 'key', description: 'mk_…', password: true }],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
    ...vscodeEntry(group_id, { url, headers: bearer('${input:key}') }),
  }
}

function toInspector(url: string): string {
  return [
    `npx -y @modelcontextprotocol/inspector --cli '${url}'`,
    '--transport http --method tools/list',
    `--header 'Authorization: Bearer ${maskedKey}'`,
  ].join(' \\\n  ')
}

function toCurl(url: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }
  return [
    `curl -s '${url}'`,
    `-H 'Authorization: Bearer ${maskedKey}'`,
    "-H 'Content-Type: application/json'",
    "-H 'Accept: application/json, text/event-stream'",
    "-H 'MCP-Protocol-Version: 2026-07-28'",
    "-H 'Mcp-Method: tools/list'",
    `-d '${JSON.stringify(message)}'`,
  ].join(' \\\n  ')
}

function isPlainHttpElsewhere(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
