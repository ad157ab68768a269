import type { ServerConfigInput } from '@dataagent/schema'
import { AppError, isAppError, isPlainObject } from '@dataagent/schema/base'
import { type Changed, changeFile } from './change-file.ts'
import { type Edited, withChild, withoutChild, withValue } from './jsonc/edit-jsonc.ts'
import {
  type ArrayNode,
  memberOf,
  type Node,
  type ObjectNode,
  parseJsonc,
  toValue,
} from './jsonc/parse-jsonc.ts'

/** `lostComments`: what was taken out had comments; the file as it was is beside it as a .bak. */
export type Written =
  | { status: 'written'; lostComments: boolean }
  | { status: 'taken' }
  | { status: 'missing' }

/**
 * Adds a server to a configuration file, in the form that the file has. What others keep in it,
 * its order, comments and indentation stay. `taken`: the name is another one's, which stays.
 */
export function addServer(
  path: string,
  config: ServerConfigInput,
  { replaces = false } = {},
): Promise<Written> {
  return edit(path, (text) => {
    if (text.trim() === '') return toEdited(newFile(config))
    const { root, found } = look(text, config.name)
    if (!found) return toEdited(withServer(text, root, config))
    if (!replaces) return 'taken'
    return withValue(text, found.entry, found.isListed ? toListed(config) : toEntry(config))
  })
}

export function removeServer(path: string, name: string): Promise<Written> {
  return edit(path, (text) => {
    if (text.trim() === '') return 'missing'
    const { found } = look(text, name)
    return found ? withoutChild(text, found.container, found.index) : 'missing'
  })
}

export function setEnabled(path: string, name: string, isEnabled: boolean): Promise<Written> {
  return edit(path, (text) => {
    const found = text.trim() === '' ? undefined : look(text, name).found
    if (found?.entry.kind !== 'object') return 'missing'
    const disabled = memberOf(found.entry, 'disabled')
    if (disabled) return withValue(text, disabled.value, !isEnabled)
    if (isEnabled) return toEdited(text)
    return toEdited(withChild(text, found.entry, { key: 'disabled', value: true }))
  })
}

type Outcome = Edited | Exclude<Written['status'], 'written'>

async function edit(path: string, change: (text: string) => Outcome): Promise<Written> {
  let written: Written = { status: 'missing' }
  await changeFile(path, (text = ''): Changed | undefined => {
    const outcome = inFile(path, () => change(text))
    if (typeof outcome === 'string') {
      written = { status: outcome }
      return undefined
    }
    written = { status: 'written', lostComments: outcome.losesComments }
    return { text: outcome.text, keepsOld: outcome.losesComments }
  })
  return written
}

/** Says in which file something is wrong. */
function inFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isAppError(cause)) throw cause
    throw new AppError(cause.code, `${path}: ${cause.message}`, { cause })
  }
}

interface Found {
  container: ObjectNode | ArrayNode
  index: number
  entry: Node
  isListed: boolean
}

/** The server of that name, in whichever form; the last where there are several. */
function look(text: string, name: string): { root: ObjectNode; found: Found | undefined } {
  const root = parseJsonc(text)
  if (root.kind !== 'object') {
    throw new AppError('invalid_request', 'expected an object with "servers" or "mcpServers"')
  }
  const container = containerOf(root)
  const isListed = container?.kind === 'array'
  const index = container ? indexOf(container, name) : -1
  const child = container?.children[index]
  if (!container || !child) return { root, found: undefined }
  return {
    root,
    found: { container, index, entry: 'key' in child ? child.value : child, isListed },
  }
}

function indexOf(container: ObjectNode | ArrayNode, name: string): number {
  if (container.kind === 'object')
    return container.children.findLastIndex(({ key }) => key === name)
  return container.children.findLastIndex((entry) => {
    const value = toValue(entry)
    return isPlainObject(value) && value.name === name
  })
}

/** The same one that is read. */
function containerOf(root: ObjectNode): ObjectNode | ArrayNode | undefined {
  const servers = memberOf(root, 'servers')?.value
  if (servers?.kind === 'array') return servers
  const mcpServers = memberOf(root, 'mcpServers')?.value
  return mcpServers?.kind === 'object' ? mcpServers : undefined
}

function withServer(text: string, root: ObjectNode, config: ServerConfigInput): string {
  const container = containerOf(root)
  if (container?.kind === 'array') return withChild(text, container, { value: toListed(config) })
  const entry = { key: config.name, value: toEntry(config) }
  if (container) return withChild(text, container, entry)
  if (memberOf(root, 'mcpServers')) {
    throw new AppError('invalid_request', '"mcpServers" is not an object')
  }
  const value = Object.fromEntries([[entry.key, entry.value]])
  return withChild(text, root, { key: 'mcpServers', value })
}

function newFile(config: ServerConfigInput): string {
  const mcpServers = Object.fromEntries([[config.name, toEntry(config)]])
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`
}

function toListed(config: ServerConfigInput): object {
  return { name: config.name, ...toEntry(config) }
}

/** As other products read it too: they call the transport `type`, and know none for a command. */
function toEntry({ name: _name, transport, ...fields }: ServerConfigInput): object {
  const isLocal = 'command' in fields
  return isLocal ? fields : { type: transport ?? 'http', ...fields }
}

function toEdited(text: string): Edited {
  return { text, losesComments: false }
}
