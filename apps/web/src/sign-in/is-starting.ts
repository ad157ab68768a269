import { isClientError } from '@dataagent/client'

const codes = new Set([
  ...['network_failed', 'unavailable', 'store_unavailable'],
  // Of a proxy whose server is not there yet.
  ...['http_502', 'http_503', 'http_504'],
])

/** Whether the server may just be starting: the same request can succeed soon. */
export function isStarting(error: unknown): boolean {
  return isClientError(error) && codes.has(error.error_code)
}
