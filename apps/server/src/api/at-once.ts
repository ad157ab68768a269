import { createTally } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'

export interface AtOnceOptions {
  perUser: number
  perTenant: number
  /** Completes the sentence "3 … of yours are under way". */
  what: string
}

/** Lets a person and a tenant have so many under way here. Throws `rate_limited`. */
export function createAtOnce({ perUser, perTenant, what }: AtOnceOptions) {
  const ofUser = createTally(perUser, `${what} of yours`)
  const ofTenant = createTally(perTenant, `${what} of your tenant`)

  return async <T>({ tenant_id, user_id }: Principal, work: () => Promise<T>): Promise<T> => {
    using held = new DisposableStack()
    held.defer(ofUser.take(JSON.stringify([tenant_id, user_id])))
    held.defer(ofTenant.take(tenant_id))
    return await work()
  }
}
