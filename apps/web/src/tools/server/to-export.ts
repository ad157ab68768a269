import type { ServerInfo } from '@dataagent/schema'
import { infoOnly } from '../info-only.ts'

/** What only this server knows of it, and what is as it would be anyway. */
const left = new Set<string>([...infoOnly, ...['name', 'transport', 'proxy']])
const usual: Readonly<Record<string, unknown>> = {
  ...{ timeout: 30, maxRetries: 3, maxTools: 0, disabled: false, approval: 'default' },
  ...{ pinning: 'pin', quarantine: false, healthEvery: 30, credentials: 'shared' },
}

/** A server in the form that most products read. Each secret is a placeholder. */
export function toExport(info: ServerInfo): { mcpServers: Record<string, object> } {
  const fields = Object.entries(info).filter(
    ([name, value]) => !left.has(name) && value !== usual[name] && !isEmpty(value),
  )
  const secret = info.transport === 'stdio' ? { env: info.env } : { headers: info.headers }
  const hidden = Object.entries(secret).map(([name, values]) => [name, toPlaceholders(values)])
  const shown = { ...Object.fromEntries(fields), ...Object.fromEntries(hidden) }
  const filled = Object.entries({ type: info.transport, ...shown }).filter(([, v]) => !isEmpty(v))
  return { mcpServers: { [info.name]: Object.fromEntries(filled) } }
}

function toPlaceholders(values: object): Record<string, string> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, `<${name}>`]))
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
