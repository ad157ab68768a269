import { createEgress } from '@dataagent/guard'

/** The servers of the suite are on this machine. */
export const egress = createEgress({ policy: { mode: 'any' } })
