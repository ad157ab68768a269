import type { OAuthAuthorizer } from '../src/index.ts'
import { egress } from './way-out.ts'

/**
 * Opens the page of the authorization server, which says yes at once, and brings back what the
 * browser would have brought to the redirect address.
 */
export async function signInAsPerson(
  authorizer: OAuthAuthorizer,
  authorizationUrl: string,
): Promise<void> {
  const { headers, body } = await egress.request(authorizationUrl, { redirect: 'manual' })
  body.destroy()
  const { searchParams } = new URL(`${headers.location}`)
  const read = (name: string) => searchParams.get(name) ?? undefined
  await authorizer.finish({
    code: read('code'),
    state: read('state'),
    iss: read('iss'),
    error: read('error'),
  })
}
