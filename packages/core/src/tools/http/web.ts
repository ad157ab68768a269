import type { Egress, EgressPolicy, EgressRequest, EgressResponse } from '@dataagent/guard'
import type { Principal } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'

export interface WebOptions {
  /** The one way out; its policy holds for every hop. */
  egress: Pick<Egress, 'request'>
  /** Where a caller's requests may go, in place of the egress's own policy. */
  policyOf?: ((principal: Principal) => EgressPolicy | undefined) | undefined
}

/** How web tools are told of an address. */
export const webAddress = z.string().min(1).max(8_000).describe('A whole http or https address')

const limits = {
  timeoutMs: 15_000,
  maxResponseBytes: 5 * 1024 * 1024,
  maxRedirects: 5,
}

/** Sends a request under the limits of web tools. Addresses with a password in them are refused. */
export async function send(
  { egress, policyOf }: WebOptions,
  url: string,
  { principal, ...request }: EgressRequest & { principal: Principal },
): Promise<EgressResponse> {
  const policy = policyOf?.(principal)
  return await egress.request(parseAddress(url), { ...limits, policy, ...request })
}

function parseAddress(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new AppError(
      'invalid_request',
      'The url is no web address. Give it whole, such as https://example.com/page',
    )
  }
  if (url.username === '' && url.password === '') return url
  throw new AppError(
    'invalid_request',
    'The url holds a user name or password, which must not be sent so. Leave them out',
  )
}
