import { meSchema, signInMethodsSchema } from '@dataagent/schema'
import type { CallOptions, Verbs } from '../http/index.ts'

export function createIdentityApi({ get, post, tell }: Verbs) {
  return {
    me: (options?: CallOptions) => get('/me', { answer: meSchema, ...options }),
    methods: (options?: CallOptions) =>
      get('/sign-in/methods', { answer: signInMethodsSchema, ...options }),
    /** From then on the browser's cookie says who calls. */
    signIn: (api_key: string, options?: CallOptions) =>
      post('/sign-in', { body: { api_key }, answer: meSchema, ...options }),
    signOut: (options?: CallOptions) => tell('POST', '/sign-out', options),
  }
}
