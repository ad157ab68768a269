import { type Role, roleSchema, userSchema } from '@dataagent/schema'
import { z } from 'zod'

/** One entry of `api_keys`: a key, and whose it is. */
export interface KeyEntry {
  tenant_id: string
  user_id: string
  role: Role
  /** Whether its holder may act for other users of the tenant. */
  act_as: boolean
  key: string
}

const { tenant_id, user_id } = userSchema.shape

const fieldsSchema = z.strictObject({
  tenant: tenant_id.default('default'),
  user: user_id.default('admin'),
  role: roleSchema.optional(),
  act_as: z.enum(['true', 'false']).default('false'),
})

const longForm = /^((?:(?!key=)[a-z_]+=[^;]*;)*)key=(.+)$/

/**
 * Reads `tenant=acme;user=ada;role=user;act_as=true;key=…`, of which all before `key=` may be left
 * out, or a bare key: that of the administrator of the tenant `default`. Whom it names without a
 * role is a user.
 */
export function parseKeyEntry(text: string): KeyEntry {
  const [, head = '', key = text] = longForm.exec(text) ?? []
  const named = head.split(';').filter((part) => part !== '')
  const fields = fieldsSchema.parse(Object.fromEntries(named.map(toPair)))
  const isNamed = named.some((part) => part.startsWith('user='))
  return {
    tenant_id: fields.tenant,
    user_id: fields.user,
    role: fields.role ?? (isNamed ? 'user' : 'admin'),
    act_as: fields.act_as === 'true',
    key,
  }
}

/** Whether it can be read; what begins as the long form must be all of it. */
export function isKeyEntry(text: string): boolean {
  if (/^(tenant|user|role|act_as)=/.test(text) && !longForm.test(text)) return false
  try {
    return parseKeyEntry(text).key.length <= 512
  } catch {
    return false
  }
}

function toPair(part: string): [string, string] {
  const at = part.indexOf('=')
  return [part.slice(0, at), part.slice(at + 1)]
}
