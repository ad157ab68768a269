import { type Clock, systemClock } from '@dataagent/guard'
import type { OwnTool } from '@dataagent/hub'
import { createPlaces } from '../threads/places.ts'
import { createFetchUrl } from './fetch-url.ts'
import { createHttpRequest } from './http-request.ts'
import type { WebOptions } from './web.ts'

export interface HttpToolsOptions extends WebOptions {
  clock?: Clock | undefined
  /** How long a page may take to be made readable. Default 10 s. */
  pageMs?: number | undefined
}

/**
 * The tools http_request and fetch_url [D8.1]. All goes through the egress, redirects too; what
 * comes back counts as untrusted.
 */
export function createHttpTools(options: HttpToolsOptions): OwnTool[] {
  const { clock = systemClock, pageMs = 10_000 } = options
  return [
    createHttpRequest(options),
    createFetchUrl({ ...options, clock, pageMs, places: createPlaces(4) }),
  ]
}
