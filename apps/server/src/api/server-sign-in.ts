import {
  type AuthorizationAnswer,
  authorizationAnswerSchema,
  type CredentialsStatus,
  credentialsStatusSchema,
  credentialsUpdateSchema,
  id,
  isAppError,
  serverSignInBegunSchema,
  serverSignInSchema,
} from '@dataagent/schema'
import { z } from 'zod'
import { defineRoute, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { findServer } from './servers-view.ts'

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
      ...{ method: 'GET', summary: 'Whether the caller has given credentials of their own.' },
      answer: credentialsStatusSchema,
      handle: async ({ principal, params: { server_id } }) => ({
        status: await credentialsOf(platform(), principal, server_id),
      }),
    }),
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

async function credentialsOf(
  platform: Platform,
  principal: Principal,
  server_id: string,
): Promise<CredentialsStatus['status']> {
  const server = findServer(platform, principal, server_id)
  if (server.user_id !== null || server.config.credentials !== 'user') return 'not_taken'
  const { status } = await platform.hub.servers.resolveFor(server, principal.user_id)
  return ({ ok: 'set', needs_credential: 'needed', broken: 'unreadable' } as const)[status]
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
      async handle({ query, reply }) {
        const { terminal } = platform()
        const page = terminal
          ? await finishFor(platform(), terminal.user, answerIn(query))
          : pageThatGoesOn(answerIn(query))
        return reply.type('text/html; charset=utf-8').send(page)
      },
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

/**
 * At a terminal nobody is signed in with a browser. It alone can have begun what the answer's
 * state, which nobody can guess, belongs to.
 */
async function finishFor(
  { hub }: Platform,
  user: Principal,
  answer: ReturnType<typeof answerIn>,
): Promise<string> {
  const { sign_in } = await hub.signIns
    .finish(user, answer)
    .then(() => ({ sign_in: 'done' }), toFailure)
  return toPage(
    sign_in === 'done'
      ? '<p>Signed in: go back to the terminal. · 已登录，请回到终端。</p>'
      : '<p>Not signed in: try again in the terminal. · 未能登录，请在终端中重试。</p>',
  )
}

function answerIn({ code, state, iss, error }: AuthorizationAnswer) {
  return { code, state, iss, error }
}

function pageThatGoesOn(answer: ReturnType<typeof answerIn>): string {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => !!pair[1])
  // Percent-encoded: only what separates the parameters means something in HTML.
  const query = new URLSearchParams(given).toString().replaceAll('&', '&amp;')
  const next = `/api/v1${finishPath}?${query}`
  return toPage(
    `<meta http-equiv="refresh" content="0;url=${next}">
<p><a href="${next}">Continue · 继续</a></p>`,
  )
}

function toPage(content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>DataAgent</title>
${content}
</html>
`
}

function toFailure(error: unknown): Record<string, string> {
  if (!isAppError(error)) throw error
  return { sign_in: 'failed', error_code: error.code }
}
