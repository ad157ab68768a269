import { isPlainObject } from '@dataagent/schema'
import type { PasteForm } from './contract.ts'
import type { Draft } from './draft.ts'
import { fromObject } from './from-object.ts'
import { fromRegistry, isRegistryServer } from './from-registry.ts'

export interface Drafts {
  form: PasteForm
  drafts: Draft[]
}

/** More are not read: nobody looks through them. */
export const entriesMax = 200

type Fields = Record<string, unknown>

/** The servers of a JSON document of any product; undefined where it holds none. */
export function fromJson(value: unknown): Drafts | undefined {
  if (Array.isArray(value)) return fromList(value)
  if (!isPlainObject(value)) return undefined
  const { mcpServers, servers, mcp, server } = value
  if (isPlainObject(mcpServers)) return fromMap('mcpServers', mcpServers)
  if (isPlainObject(servers)) return fromMap('vscode', servers)
  if (Array.isArray(servers)) return fromList(servers)
  if (isPlainObject(mcp) && isPlainObject(mcp.servers)) return fromMap('vscode', mcp.servers)
  if (isPlainObject(value.mcp_servers)) return fromMap('codex_toml', value.mcp_servers)
  if (isRegistryServer(server)) return toRegistry([server])
  if (isRegistryServer(value)) return toRegistry([value])
  if (hasWay(value)) return { form: 'mcpServers', drafts: [fromObject(value)] }
  return isMap(value) ? fromMap('mcpServers', value) : undefined
}

function fromMap(form: PasteForm, servers: Fields): Drafts {
  const entries = Object.entries(servers).slice(0, entriesMax + 1)
  return { form, drafts: entries.map(([name, entry]) => fromObject(entry, name)) }
}

/** Our own list, or a page of a registry. */
function fromList(list: readonly unknown[]): Drafts | undefined {
  const entries = list.slice(0, entriesMax + 1)
  const documents = entries.map((entry) => (isPlainObject(entry) && entry.server) || entry)
  if (documents.length > 0 && documents.every(isRegistryServer)) return toRegistry(documents)
  if (!entries.some(isPlainObject)) return undefined
  return { form: 'servers', drafts: entries.map((entry) => fromObject(entry, nameOf(entry))) }
}

function toRegistry(documents: readonly Fields[]): Drafts {
  const drafts = documents.flatMap((document) => fromRegistry(document))
  return { form: 'registry_server_json', drafts: drafts.slice(0, entriesMax + 1) }
}

function nameOf(entry: unknown): string | undefined {
  return isPlainObject(entry) && typeof entry.name === 'string' ? entry.name : undefined
}

/** Whether the values of `value` are servers: what stands within `mcpServers`, pasted alone. */
function isMap(value: Fields): boolean {
  const entries = Object.values(value)
  return entries.length > 0 && entries.every((entry) => isPlainObject(entry) && hasWay(entry))
}

function hasWay(value: Fields): boolean {
  return ['command', 'url', 'serverUrl', 'httpUrl'].some((field) => Object.hasOwn(value, field))
}
