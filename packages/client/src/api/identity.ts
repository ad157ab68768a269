import {
  type GrantsQuery,
  meSchema,
  ownGrantsPageSchema,
  signInMethodsSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

export function createIdentityApi({ get, post, tell }: Verbs) {
  return {
    me: (options?: CallOptions) => get('/me', { answer: meSchema, ...options }),
    methods: (options?: CallOptions) =>
      get('/sign-in/methods', { answer: signInMethodsSchema, ...options }),
    /** From then on the browser's cookie says who calls. */
    signIn: (api_key: string, options?: CallOptions) =>
      post('/sign-in', { body: { api_key }, answer: meSchema, ...options }),
    /** The MCP clients that the caller gave access, newest first. */
    grants: (query: QueryOf<GrantsQuery> = {}, options?: CallOptions) =>
      get('/me/grants', { query, answer: ownGrantsPageSchema, ...options }),
    endGrant: (grant_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/me/grants/${grant_id}`, options),
    signOut: (options?: CallOptions) => tell('POST', '/sign-out', options),
  }
}
