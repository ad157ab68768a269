/** Keys of tenants and their users, as DATAAGENT_API_KEYS has them. */
export interface Person {
  tenant_id: string
  user_id: string
  key: string
}

/**
 * So many users of each of so many tenants; the first of a tenant administers it. One tenant is the
 * one that every server has.
 */
export function makePeople({ tenants = 1, users = 4 } = {}): Person[] {
  return Array.from({ length: tenants * users }, (_, at) => {
    const tenant_id = tenants === 1 ? 'default' : `tenant-${Math.floor(at / users)}`
    const user_id = `user-${at % users}`
    return { tenant_id, user_id, key: `key-of-${tenant_id}-${user_id}-0123456789abcdef` }
  })
}

export function toApiKeys(people: readonly Person[]): string {
  return people
    .map(({ tenant_id, user_id, key }) => {
      const role = user_id === 'user-0' ? 'admin' : 'user'
      return `tenant=${tenant_id};user=${user_id};role=${role};key=${key}`
    })
    .join(',')
}
