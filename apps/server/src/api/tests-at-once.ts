import { createAtOnce } from './at-once.ts'

/** Tests of connections wait for others: few at once are enough. */
export const createTestsAtOnce = () => createAtOnce({ perUser: 3, perTenant: 10, what: 'tests' })
