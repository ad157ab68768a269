import { type Client, createClient, isClientError } from '@dataagent/client'
import type { Me } from '@dataagent/schema'

/** Somebody is signed in, and the key of the link is of somebody else. */
export interface OtherPerson {
  now: Me
  other: Me
  key: string
}

export type Opened = { status: 'signed_in'; me: Me } | ({ status: 'other' } & OtherPerson)

/**
 * Signs in by the key of a link, but over the sign-in of somebody else: a link may be written by
 * anybody, and who follows it would work, and write, as a person that they do not know.
 */
export async function openLink(client: Client, key: string, signal: AbortSignal): Promise<Opened> {
  const now = await whoNow(client, signal)
  if (now !== undefined) {
    const withKey = createClient({ baseUrl: location.origin, apiKey: key })
    const other = await withKey.identity.me({ signal })
    if (!isSame(now, other)) return { status: 'other', now, other, key }
  }
  return { status: 'signed_in', me: await client.identity.signIn(key, { signal }) }
}

/** Who is signed in by the browser's cookie. */
async function whoNow(client: Client, signal: AbortSignal): Promise<Me | undefined> {
  try {
    const me = await client.identity.me({ signal })
    return me.via === 'cookie' ? me : undefined
  } catch (error) {
    if (isClientError(error, 'unauthenticated')) return undefined
    throw error
  }
}

function isSame(one: Me, two: Me): boolean {
  return one.tenant_id === two.tenant_id && one.user_id === two.user_id
}
