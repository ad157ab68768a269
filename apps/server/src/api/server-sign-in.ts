import {
  type AuthorizationAnswer,
  authorizationAnswerSchema,
  credentialsUpdateSchema,
  id,
  isAppError,
  serverSignInBegunSchema,
  serverSignInSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { GetPlatform } from '../platform/index.ts'

const one = { tag: 'servers', access: 'user', params: z.strictObject({ server_id: id }) } as const
const credentials = { ...one, path: '/mcp-servers/:server_id/credentials' } as const
const signIn = { ...one, path: '/mcp-servers/:server_id/sign-in' } as const

/** What a person gives a server to be let in: credentials of their own, or a sign-in over OAuth. */
export function serverSignInRoutes(platform: GetPlatform): Route[] {
  return [...credentialRoutes(platform), ...signInRoutes(platform), ...callbackRoutes(platform)]
}

function credentialRoutes(platform: GetPlatform): Route[] {
  return [
    defineRoute({
      ...credentials,
      ...{ method: 'PUT', summary: "Sets the caller's own credentials for a shared server." },
      body: credentialsUpdateSchema,
      handle: ({ principal, params, body }) =>
        platform().hub.servers.setCredential(principal, params.server_id, body),
    }),
    defineRoute({
      ...credentials,
      ...{ method: 'DELETE', summary: "Forgets the caller's own credentials." },
      handle: ({ principal, params }) =>
        platform().hub.servers.removeCredential(principal, params.server_id),
    }),
  ]
}

function signInRoutes(platform: GetPlatform): Route[] {
  const signIns = () => platform().hub.signIns
  return [
    defineRoute({
      ...signIn,
      ...{ method: 'GET', summary: 'Whether the caller is signed in at the server.' },
      answer: serverSignInSchema,
      async handle({ principal, params }) {
        const status = await signIns().status(principal, params.server_id)
        if (status.status !== 'pending') return status
        return { status: 'pending' as const, ...begun(status.signIn) }
      },
    }),
    defineRoute({
      ...signIn,
      ...{ method: 'POST', summary: 'Begins to sign in: gives the address to open in a browser.' },
      answer: serverSignInBegunSchema,
      handle: async ({ principal, params }) =>
        begun(await signIns().begin(principal, params.server_id)),
    }),
    defineRoute({
      ...signIn,
      ...{ method: 'DELETE', summary: 'Signs out: the tokens are forgotten.' },
      handle: ({ principal, params }) => signIns().signOut(principal, params.server_id),
    }),
  ]
}

function begun({ authorizationUrl, expires_at }: { authorizationUrl: string; expires_at: number }) {
  return { authorization_url: authorizationUrl, expires_at }
}

const finishPath = '/oauth/callback/finish'

/**
 * Where browsers come back to: a person sees a page, whatever has become of it. Sent here by
 * another site a browser leaves our cookie out, which is `SameSite=Strict`; from a page of ours it
 * sends it.
 */
function callbackRoutes(platform: GetPlatform): Route[] {
  const shared = { method: 'GET', tag: 'servers', query: authorizationAnswerSchema } as const
  const raw = { produces: 'text/html' }
  return [
    defineRoute({
      ...{ ...shared, path: '/oauth/callback', access: 'public', raw },
      summary: 'Where an authorization server sends the browser back to.',
      handle: ({ query, reply }) =>
        reply.type('text/html; charset=utf-8').send(pageThatGoesOn(answerIn(query))),
    }),
    defineRoute({
      ...{ ...shared, path: finishPath, access: 'member', status: 302, raw },
      summary: 'Finishes a sign-in at a server and goes on to the tools page.',
      async handle({ principal, query, reply }) {
        const outcome = await platform()
          .hub.signIns.finish(principal, answerIn(query))
          .then(({ server_id }) => ({ sign_in: 'done', server_id }), toFailure)
        return reply.redirect(`/tools?${new URLSearchParams(outcome)}`, 302)
      },
    }),
  ]
}

function answerIn({ code, state, iss, error }: AuthorizationAnswer) {
  return { code, state, iss, error }
}

function pageThatGoesOn(answer: ReturnType<typeof answerIn>): string {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => !!pair[1])
  // Percent-encoded: only what separates the parameters means something in HTML.
  const query = new URLSearchParams(given).toString().replaceAll('&', '&amp;')
  const next = `/api/v1${finishPath}?${query}`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${next}">
<title>DataAgent</title>
<p><a href="${next}">Continue · 继续</a></p>
</html>
`
}

function toFailure(error: unknown): Record<string, string> {
  if (!isAppError(error)) throw error
  return { sign_in: 'failed', error_code: error.code }
}
