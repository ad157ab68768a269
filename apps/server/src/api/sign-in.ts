import {
  AppError,
  authorizationAnswerSchema,
  isAppError,
  meSchema,
  signInMethodsSchema,
  signInRequestSchema,
} from '@dataagent/schema'
import { type Call, defineRoute, type Route } from '../deps/index.ts'
import type { Identity, Oidc } from '../identity/index.ts'
import { startCommand, terminalCommand } from '../places.ts'
import type { GetPlatform } from '../platform/index.ts'
import { makeWorkspace } from './make-workspace.ts'
import { toMe } from './me.ts'

export interface SignInOptions {
  platform: GetPlatform
  identity: Identity
  /** Where a provider is configured. */
  oidc: Oidc | undefined
}

const subject = { tag: 'sign-in', access: 'public' } as const

/** How a browser gets its cookie, and loses it. */
export function signInRoutes({ platform, identity, oidc }: SignInOptions): Route[] {
  return [
    defineRoute({
      ...subject,
      ...{ method: 'POST', path: '/sign-in' },
      summary: 'Signs a browser in: it gets a cookie in place of the key.',
      body: signInRequestSchema,
      answer: meSchema,
      async handle({ body, request, reply }) {
        const caller = await identity.signInByKey(body.api_key.reveal(), request, reply)
        await makeWorkspace(platform, caller.principal, request.log)
        return toMe(caller, platform)
      },
    }),
    defineRoute({
      ...{ ...subject, access: 'member' },
      ...{ method: 'POST', path: '/sign-out' },
      summary: 'Signs this browser out.',
      handle: ({ request, reply }) => identity.signOut(request, reply),
    }),
    defineRoute({
      ...subject,
      ...{ method: 'GET', path: '/sign-in/methods' },
      summary: 'How one can sign in.',
      answer: signInMethodsSchema,
      handle: () => ({
        ...{ api_key: true as const, oidc: oidc ? { name: oidc.name } : null },
        commands: { server: startCommand, terminal: terminalCommand },
      }),
    }),
    defineRoute({
      ...subject,
      ...{ method: 'GET', path: '/sign-in/oidc', status: 302 },
      summary: 'Sends the browser to the identity provider.',
      handle: (call) => redirect(call, (one) => one.begin(call.request, call.reply), oidc),
    }),
    defineRoute({
      ...subject,
      ...{ method: 'GET', path: '/sign-in/oidc/callback', status: 302 },
      summary: 'Where the identity provider sends the browser back to.',
      query: authorizationAnswerSchema,
      handle: (call) =>
        redirect(call, (one) => enter({ platform, identity, oidc: one }, call), oidc),
    }),
  ]
}

interface Entering {
  platform: GetPlatform
  identity: Identity
  oidc: Oidc
}

type Exchange = Pick<Call, 'request' | 'reply'>

async function enter(
  { platform, identity, oidc }: Entering,
  { request, reply }: Exchange,
): Promise<string> {
  const principal = await oidc.finish(request, reply)
  await identity.signIn(principal, request, reply)
  await makeWorkspace(platform, principal, request.log)
  return '/'
}

/** A person sees this in the browser: what fails is told by our page, and why it did in the log. */
async function redirect(
  { request, reply }: Exchange,
  goTo: (oidc: Oidc) => Promise<string>,
  oidc: Oidc | undefined,
) {
  if (!oidc) throw new AppError('not_found', 'No identity provider is configured.')
  try {
    return reply.redirect(await goTo(oidc))
  } catch (error) {
    const { message: reason, cause } = error as Error
    const detail = cause instanceof Error ? cause.message : undefined
    request.log.warn({ reason, detail }, 'a sign-in with the identity provider failed')
    return reply.redirect(`/#sign-in=${problemOf(error)}`)
  }
}

function problemOf(error: unknown): 'refused' | 'full' | 'failed' {
  if (isAppError(error, 'quota_exceeded')) return 'full'
  const isRefused = isAppError(error, 'forbidden') || isAppError(error, 'unauthenticated')
  return isRefused ? 'refused' : 'failed'
}
