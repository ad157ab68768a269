/** How many a tenant may have: they are in the memory of every process, and read again as one. */
export const tenantQuotas = { agents: 200, providers: 200 }

/** Keys of one user that can be used. */
export const keysPerUser = 100
