import { toSdkName, toWireName } from '@dataagent/mcp'
import { originOf, type RegisteredServer } from '../servers/index.ts'

export interface ToolNames {
  sdk_name: string
  wire_name: string
  /** Every text that may mean the tool. */
  accepted: readonly string[]
}

/** What a tool of a server is called, and may be called by. */
export function toToolNames(
  { server_id, name }: { server_id: string; name: string },
  label: string,
  server: RegisteredServer | undefined,
): ToolNames {
  const sdk_name = toSdkName('{server}.{tool}', label, name)
  const wire_name = toWireName(sdk_name)
  const accepted = new Set([name, sdk_name, wire_name, `${originOf(server_id)}/${name}`])
  for (const called of [server?.config.name, server?.config.alias]) {
    if (called === undefined) continue
    accepted.add(toSdkName('{server}.{tool}', called, name))
    accepted.add(toSdkName('mcp.{server}.{tool}', called, name))
  }
  return { sdk_name, wire_name, accepted: [...accepted] }
}

/** A tool of our own is called by its name alone: a server's tool always has a dot. */
export function toOwnNames({ server_id, name }: { server_id: string; name: string }): ToolNames {
  const wire_name = toWireName(name)
  const accepted = new Set([name, wire_name, `${server_id}.${name}`, `${server_id}/${name}`])
  return { sdk_name: name, wire_name, accepted: [...accepted] }
}

export interface NameIndex<T> {
  add(tenant_id: string, names: readonly string[], value: T): void
  remove(tenant_id: string, names: readonly string[], value: T): void
  find(tenant_id: string, name: string): ReadonlySet<T> | undefined
}

/** Things by names that several may share, per tenant. */
export function createNameIndex<T>(): NameIndex<T> {
  const tenants = new Map<string, Map<string, Set<T>>>()

  return {
    add(tenant_id, names, value) {
      const byName = tenants.get(tenant_id) ?? new Map<string, Set<T>>()
      tenants.set(tenant_id, byName)
      for (const name of names) {
        const found = byName.get(name)
        if (found) found.add(value)
        else byName.set(name, new Set([value]))
      }
    },
    remove(tenant_id, names, value) {
      const byName = tenants.get(tenant_id)
      if (byName === undefined) return
      for (const name of names) {
        const found = byName.get(name)
        if (found?.delete(value) && found.size === 0) byName.delete(name)
      }
      if (byName.size === 0) tenants.delete(tenant_id)
    },
    find: (tenant_id, name) => tenants.get(tenant_id)?.get(name),
  }
}
