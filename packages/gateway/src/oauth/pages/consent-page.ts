import { type Html, html, type PlainResponse } from '../../http/index.ts'
import { outOfBand } from '../clients/static-clients.ts'
import type { Transaction } from '../consent/transaction.ts'
import { chooseForm, keyForm } from './consent-forms.ts'
import type { ConsentPage } from './consent-view.ts'
import { toPage, wordsOf } from './layout.ts'
import type { Words } from './words.ts'

/** Who asks, for what, where it leads; then a group to choose, or a key to enter. */
export function consentPage(page: ConsentPage): PlainResponse {
  const { frame, open, error, standing, status = 200, refreshPath, headers } = page
  const words = wordsOf(frame.language)
  const { client_name, redirect_uri } = open.asked
  const told = error && html`<p class="error" id="error">${words.errors[error]}</p>`
  const body = html`<h1>${words.connect(client_name)}</h1>
<p class="soft">${words.asks(client_name, frame.serverName)}${toVoucher(open.asked, words)}</p>
${toFacts(open.asked, words)}
<div aria-live="assertive">${told}</div>
${standing.kind === 'nobody' ? keyForm(page, words) : chooseForm(page, standing, words)}
<footer>${words.advice}</footer>`
  const formTarget = toFormTarget(redirect_uri)
  const title = words.connect(client_name)
  return toPage({ ...frame, status, title, body, refreshPath, formTarget, headers })
}

function toFacts({ redirect_uri, scopes }: Transaction, words: Words): Html {
  const widest = scopes.includes('mcp:call') ? 'mcp:call' : 'mcp:read'
  return html`<dl>
<dt>${words.facts.sentTo}</dt><dd>${toTarget(redirect_uri, words)}</dd>
<dt>${words.facts.mayDo}</dt><dd>${words.scopes[widest]}</dd>
</dl>`
}

function toVoucher({ client_kind, client_id }: Transaction, words: Words): Html | undefined {
  if (client_kind === 'static' && client_id === 'dify') return undefined
  const text =
    client_kind === 'document' ? words.vouched(new URL(client_id).host) : words.unverified
  return html` <span class="hint">${text}</span>`
}

function toTarget(redirect_uri: string, words: Words): Html {
  if (redirect_uri === outOfBand) return html`${words.byCode}`
  const { protocol, host, hostname } = new URL(redirect_uri)
  const own = html` <span class="hint">${words.ownProgram}</span>`
  if (!['https:', 'http:'].includes(protocol)) return html`<strong>${protocol}//</strong>${own}`
  const isOwn = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  return html`<strong>${host}</strong>${isOwn && own}`
}

/**
 * Browsers follow no redirect of a form that this does not name, the further ones of the program's
 * own site included: so all of the scheme.
 */
function toFormTarget(redirect_uri: string): string | undefined {
  return redirect_uri === outOfBand ? undefined : new URL(redirect_uri).protocol
}
