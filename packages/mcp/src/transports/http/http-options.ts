import { type Clock, createEgress, type Egress } from '@dataagent/guard'
import type { Authorizer } from '../../auth/contract.ts'
import { createConfidences } from '../shared/confidences.ts'
import type { LaneOptions } from './lane.ts'

/** How a server is reached by HTTP. */
export interface HttpTransportOptions {
  url: string
  /** They go with every request, but never in place of one of the protocol's own. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Stays open when the transport is closed. Default: one of its own that reaches any address. */
  egress?: Egress | undefined
  /** An http or https proxy. */
  proxy?: string | undefined
  authorizer?: Authorizer | undefined
  /** The largest message read, as a body or as one event. Default 16 MiB. */
  maxMessageBytes?: number | undefined
  clock?: Clock | undefined
}

export const defaultMaxMessageBytes = 16 * 1024 * 1024

/** The way out of one transport. */
export interface Outlet {
  /** For lanes. */
  options: LaneOptions
  /** Closes what was not the caller's. */
  close(): Promise<void>
}

export function createOutlet({
  url,
  headers = {},
  proxy,
  authorizer,
  egress,
}: HttpTransportOptions): Outlet {
  const own = egress === undefined ? createEgress({ policy: { mode: 'any' } }) : undefined
  const used = (egress ?? own) as Egress
  const confidences = createConfidences()
  return {
    options: { url, headers, proxy, authorizer, egress: used, confidences },
    close: async () => own?.close(),
  }
}
