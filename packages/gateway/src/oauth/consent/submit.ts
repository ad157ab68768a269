import {
  methodNotAllowed,
  type PlainRequest,
  type PlainResponse,
  readForm,
  retryAfter,
  toFields,
} from '../../http/index.ts'
import type { Addresses } from '../addresses.ts'
import type { OAuthServerOptions } from '../options.ts'
import type { PageError } from '../pages/words.ts'
import type { Browsers } from './browser.ts'
import type { createCheckKey } from './check-key.ts'
import { toCodeContent } from './code-content.ts'
import type { PageMaker } from './page-maker.ts'
import { seeOther, toClientRedirect } from './redirects.ts'
import type { createStanding } from './standing.ts'
import { isSameText, type OpenTransaction, type Transactions } from './transaction.ts'

export interface SubmitOptions extends Pick<OAuthServerOptions, 'tokens' | 'onLog'> {
  addresses: Addresses
  browsers: Browsers
  checkKey: ReturnType<typeof createCheckKey>
  pages: PageMaker
  standing: ReturnType<typeof createStanding>
  transactions: Transactions
}

interface Step {
  request: PlainRequest
  open: OpenTransaction
  fields: ReadonlyMap<string, string>
}

/** `POST /mcp/oauth/authorize/submit`: a key, the choice of a group, or a refusal. */
export function createSubmit(options: SubmitOptions) {
  const { addresses, browsers, checkKey, pages, standing, tokens, transactions, onLog } = options

  async function again(step: Step, status: number, error: PageError, waitMs?: number) {
    const { request, open } = step
    const headers = waitMs === undefined ? undefined : retryAfter(waitMs)
    const found = await standing(request, open)
    return pages.consent(request, { open, standing: found, status, error, headers })
  }

  async function enterKey(step: Step): Promise<PlainResponse> {
    const { request, open, fields } = step
    const check = await checkKey(fields.get('api_key') ?? '', open, request.ip)
    if (check.status === 'missing') return again(step, 400, 'missing_key')
    if (check.status === 'limited') return again(step, 429, 'too_many_tries', check.retryAfterMs)
    if (check.status !== 'ok') {
      const { ip } = request
      const client = open.asked.client_name
      onLog({ level: 'warn', message: 'a key was refused at the consent page', ip, client })
      return again(step, 403, check.status === 'wrong' ? 'wrong_key' : 'other_group')
    }
    await transactions.setKeyHolder(open.tx, check.holder)
    return seeOther(pages.pathOf(request, open.tx))
  }

  async function forgetKey({ request, open }: Step): Promise<PlainResponse> {
    await transactions.setKeyHolder(open.tx, undefined)
    return seeOther(pages.pathOf(request, open.tx))
  }

  async function deny({ request, open }: Step): Promise<PlainResponse> {
    if (!(await transactions.finish(open.tx))) return pages.message(request, 'ended')
    const { redirect_uri, state } = open.asked
    const told = { error: 'access_denied', state, iss: addresses.issuer() }
    return toClientRedirect(redirect_uri, told) ?? pages.message(request, 'denied')
  }

  async function allow(step: Step): Promise<PlainResponse> {
    const { request, open, fields } = step
    const found = await standing(request, open)
    if (found.kind === 'nobody') return again(step, 403, 'missing_key')
    const group = found.groups.find(({ group_id }) => group_id === fields.get('group_id'))
    if (group === undefined) return again(step, 400, 'missing_group')
    if (!(await transactions.finish(open.tx))) return pages.message(request, 'ended')
    const code = await tokens.createCode(toCodeContent(open.asked, found, group, addresses))
    const { group_id } = group
    const { client_name, redirect_uri, state } = open.asked
    const entry = { group_id, client: client_name, ip: request.ip }
    onLog({ level: 'info', message: 'a client was allowed the tools of a group', ...entry })
    const told = { code, state, iss: addresses.issuer() }
    return toClientRedirect(redirect_uri, told) ?? pages.code(request, code)
  }

  const actions = new Map([
    ['key', enterKey],
    ['other_key', forgetKey],
    ['deny', deny],
    ['allow', allow],
  ])

  return async (request: PlainRequest): Promise<PlainResponse> => {
    if (request.method !== 'POST') return methodNotAllowed('POST')
    if (!browsers.isOwnPage(request)) return pages.message(request, 'other_page')
    const form = toFields(readForm(request) ?? new URLSearchParams())
    if (form.status !== 'ok') return pages.message(request, 'other_page')
    const { fields } = form
    const found = await transactions.find(fields.get('tx') ?? '', browsers.of(request))
    if (found.status === 'ended') return pages.message(request, 'ended')
    if (found.status === 'foreign') return pages.message(request, 'other_browser')
    const act = actions.get(fields.get('action') ?? '')
    const isOurs = isSameText(fields.get('csrf') ?? '', found.open.csrf)
    if (act === undefined || !isOurs) return pages.message(request, 'other_page')
    return act({ request, open: found.open, fields })
  }
}
