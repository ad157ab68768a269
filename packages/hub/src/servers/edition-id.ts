import type { RegisteredServer } from './contract.ts'

/** In no id of a server itself. */
const mark = '#'

/** The id under which a configuration goes on for sessions once another has taken its place. */
export function toEditionId({
  server_id,
  revision,
}: Pick<RegisteredServer, 'server_id' | 'revision'>): string {
  return `${originOf(server_id)}${mark}${revision}`
}

/** The id of the server itself: what lists, rules, approvals and the audit know it by. */
export function originOf(server_id: string): string {
  const at = server_id.indexOf(mark)
  return at === -1 ? server_id : server_id.slice(0, at)
}
