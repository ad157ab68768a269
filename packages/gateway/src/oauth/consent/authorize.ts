import {
  methodNotAllowed,
  type PlainRequest,
  type PlainResponse,
  retryAfter,
} from '../../http/index.ts'
import type { Addresses } from '../addresses.ts'
import type { ClientBook, FoundClient } from '../clients/client-book.ts'
import type { OAuthClient } from '../clients/oauth-client.ts'
import { isRegistered } from '../redirect-uri.ts'
import type { Throttle } from '../throttle.ts'
import { type Asked, readAuthorizationRequest } from './authorization-request.ts'
import type { Browsers } from './browser.ts'
import type { PageMaker } from './page-maker.ts'
import { toClientRedirect } from './redirects.ts'
import type { createStanding } from './standing.ts'
import type { Transactions } from './transaction.ts'

export interface AuthorizeOptions {
  addresses: Addresses
  book: ClientBook
  browsers: Browsers
  pages: PageMaker
  standing: ReturnType<typeof createStanding>
  throttle: Throttle
  transactions: Transactions
}

interface Faulty {
  client: OAuthClient
  redirect_uri: string
  read: Extract<Asked, { status: 'refused' }>
}

/** `GET /mcp/oauth/authorize`: begins a transaction, or shows one that is under way. */
export function createAuthorize(options: AuthorizeOptions) {
  const { addresses, book, browsers, pages, standing, throttle, transactions } = options

  async function goOn(request: PlainRequest, tx: string): Promise<PlainResponse> {
    const found = await transactions.find(tx, browsers.of(request))
    if (found.status === 'ended') return pages.message(request, 'ended')
    if (found.status === 'foreign') return pages.message(request, 'other_browser')
    const { open } = found
    return pages.consent(request, { open, standing: await standing(request, open) })
  }

  /** Until both are known to belong together nobody is sent anywhere (RFC 6749 §4.1.2.1). */
  async function findClient(request: PlainRequest): Promise<FoundClient> {
    const [client_id, ...more] = request.query.getAll('client_id')
    if (client_id === undefined || more.length > 0) return { status: 'unknown' }
    return book.find(client_id, request.ip)
  }

  async function begin(request: PlainRequest): Promise<PlainResponse> {
    const found = await findClient(request)
    if (found.status === 'unknown') return pages.message(request, 'unknown_client')
    if (found.status !== 'ok') {
      const message = found.status === 'away' ? 'unavailable' : 'too_many_requests'
      return pages.message(request, message, retryAfter(found.retryAfterMs))
    }
    const { client } = found
    const [redirect_uri, ...more] = request.query.getAll('redirect_uri')
    const isOne = redirect_uri !== undefined && more.length === 0
    if (!isOne || !isRegistered(client.redirect_uris, redirect_uri)) {
      return pages.message(request, 'unknown_redirect')
    }
    return ask(request, client, redirect_uri)
  }

  /**
   * Anyone can register a program: its address is one that a link to us must not lead to before a
   * person has looked (RFC 9700 §4.11.2).
   */
  function refuse(request: PlainRequest, { client, redirect_uri, read }: Faulty): PlainResponse {
    const { error, description: error_description, state } = read
    const told = { error, error_description, state, iss: addresses.issuer() }
    const sent = client.kind === 'static' ? toClientRedirect(redirect_uri, told) : undefined
    return sent ?? pages.faulty(request, `${error}: ${error_description}`)
  }

  async function ask(request: PlainRequest, client: OAuthClient, redirect_uri: string) {
    const { query } = request
    const read = readAuthorizationRequest({ query, client, redirect_uri, addresses })
    if (read.status === 'refused') return refuse(request, { client, redirect_uri, read })
    const { browser, cookie } = browsers.mark(request)
    const open = await transactions.begin(read.asked, browser)
    const found = await standing(request, open)
    const headers = { 'set-cookie': cookie }
    const isFirst = found.kind === 'nobody' && comesFromElsewhere(request)
    return pages.consent(request, { open, standing: found, headers, isFirst })
  }

  return async (request: PlainRequest): Promise<PlainResponse> => {
    if (request.method !== 'GET') return methodNotAllowed('GET')
    const tx = request.query.get('tx')
    if (tx !== null) return goOn(request, tx)
    const waitMs = await throttle.take('authorize', request.ip)
    if (waitMs === undefined) return begin(request)
    return pages.message(request, 'too_many_requests', retryAfter(waitMs))
  }
}

/** A browser keeps cookies that are `SameSite=Strict` back when another site leads here. */
function comesFromElsewhere({ headers }: PlainRequest): boolean {
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site'
}
