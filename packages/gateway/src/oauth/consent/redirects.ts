import type { PlainResponse } from '../../http/index.ts'
import { outOfBand } from '../clients/static-clients.ts'
import { pageHeaders } from '../pages/layout.ts'
import { withParameters } from '../redirect-uri.ts'

export function seeOther(location: string): PlainResponse {
  return { status: 303, headers: { location, ...pageHeaders }, body: '' }
}

/** Back to the program; undefined for one that has no address. */
export function toClientRedirect(
  redirect_uri: string,
  parameters: Record<string, string | undefined>,
): PlainResponse | undefined {
  if (redirect_uri === outOfBand) return undefined
  return seeOther(withParameters(redirect_uri, parameters))
}
