import { isAppError } from '@dataagent/schema'
import {
  methodNotAllowed,
  type PlainRequest,
  type PlainResponse,
  preflight,
  retryAfter,
  withCors,
} from '../http/index.ts'
import { type Addresses, createAddresses, paths } from './addresses.ts'
import { createBeginForSeed } from './begin-for-seed.ts'
import { createClientAuthentication } from './clients/client-authentication.ts'
import { type ClientBook, createClientBook } from './clients/client-book.ts'
import { createRegistration } from './clients/registration.ts'
import { createAuthorize } from './consent/authorize.ts'
import { createBrowsers } from './consent/browser.ts'
import { createCheckKey } from './consent/check-key.ts'
import { createPageMaker, type PageMaker } from './consent/page-maker.ts'
import { createStanding } from './consent/standing.ts'
import { createSubmit } from './consent/submit.ts'
import { createTransactions } from './consent/transaction.ts'
import type { OAuthServer } from './contract.ts'
import { createMetadata } from './metadata.ts'
import { oauthError } from './oauth-error.ts'
import type { OAuthServerOptions } from './options.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createIntrospect } from './tokens/introspect.ts'
import { createRevoke } from './tokens/revoke.ts'
import { createToken } from './tokens/token.ts'

type Handler = (request: PlainRequest) => Promise<PlainResponse>

export function createOAuthServer(options: OAuthServerOptions): OAuthServer {
  const addresses = createAddresses(options)
  const pages = createPageMaker({ ...options, addresses })
  const metadata = createMetadata({ ...options, addresses })
  const throttle = createThrottle(options)
  const book = createClientBook({ ...options, throttle })
  const parts = { ...options, addresses, pages, throttle, book }
  const forPeople = createPageHandlers(parts)
  const forPrograms = createProgramHandlers(parts)

  async function answer(request: PlainRequest): Promise<PlainResponse | undefined> {
    const page = forPeople.get(request.path)
    if (page !== undefined) return page(request).catch((error) => toErrorPage(request, error))
    const handler = forPrograms.get(request.path)
    return handler?.(request).catch(toErrorAnswer) ?? metadata(request)
  }

  function toErrorPage(request: PlainRequest, error: unknown): PlainResponse {
    const message = note(error) ? 'unavailable' : 'failed'
    return pages.message(request, message, message === 'unavailable' ? retryAfter(5000) : {})
  }

  function toErrorAnswer(error: unknown): PlainResponse {
    if (!note(error)) return withCors(oauthError('server_error', 'internal error', { status: 500 }))
    const failed = { status: 503, headers: retryAfter(5000) }
    return withCors(oauthError('temporarily_unavailable', 'the store is away', failed))
  }

  /** Whether it will be better soon. */
  function note(error: unknown): boolean {
    options.onLog({ level: 'error', message: 'the authorization server failed', error })
    return isAppError(error, 'store_unavailable')
  }

  return { handle: answer, beginForSeed: createBeginForSeed({ ...options, addresses }) }
}

interface Parts extends OAuthServerOptions {
  addresses: Addresses
  book: ClientBook
  pages: PageMaker
  throttle: Throttle
}

function createPageHandlers(options: Parts): ReadonlyMap<string, Handler> {
  const transactions = createTransactions(options)
  const browsers = createBrowsers(options)
  const standing = createStanding({ ...options, transactions })
  const checkKey = createCheckKey(options)
  const parts = { ...options, transactions, browsers, standing, checkKey }
  return new Map([
    [paths.authorize, createAuthorize(parts)],
    [paths.submit, createSubmit(parts)],
  ])
}

function createProgramHandlers(options: Parts): ReadonlyMap<string, Handler> {
  const parts = { ...options, authenticate: createClientAuthentication(options) }
  const handlers = new Map<string, Handler>([
    [paths.token, forPages(createToken(parts))],
    [paths.revoke, forPages(createRevoke(parts))],
    [paths.introspect, postOnly(createIntrospect(options))],
  ])
  if (options.settings.dynamic_registration === false) return handlers
  return handlers.set(paths.register, forPages(createRegistration(parts)))
}

function postOnly(handler: Handler): Handler {
  return async (request) =>
    request.method === 'POST' ? handler(request) : methodNotAllowed('POST')
}

/** Programs that are pages of other origins ask too. */
function forPages(handler: Handler): Handler {
  const answer = postOnly(handler)
  return async (request) =>
    request.method === 'OPTIONS' ? preflight('POST') : withCors(await answer(request))
}
