import { createHash } from 'node:crypto'
import { type Html, html, type PlainResponse } from '../../http/index.ts'
import { style } from './style.ts'
import type { Language, Words } from './words.ts'
import { english } from './words-en.ts'
import { chinese } from './words-zh.ts'

const styleHash = createHash('sha256').update(style).digest('base64')

export interface PageFrame {
  language: Language
  serverName: string
  /** The same page in the other language, where there is one. */
  otherLanguagePath?: string | undefined
}

export interface Page extends PageFrame {
  status: number
  title: string
  body: Html
  /** Where the page goes on by itself. */
  refreshPath?: string | undefined
  /** What a form may lead to besides this server: a source of CSP. */
  formTarget?: string | undefined
  headers?: PlainResponse['headers'] | undefined
}

export function wordsOf(language: Language): Words {
  return language === 'zh' ? chinese : english
}

/** A whole page, without script, which nobody frames, keeps or learns the address of. */
export function toPage(page: Page): PlainResponse {
  const { status, formTarget, headers } = page
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': wordsOf(page.language).htmlLang,
      'content-security-policy': toPolicy(formTarget),
      ...pageHeaders,
      ...headers,
    },
    body: toDocument(page).html,
  }
}

/** Of every answer to a browser, redirects too. */
export const pageHeaders = {
  'cache-control': 'no-store',
  // The program's own page, which follows in this window, tells the one that opened it.
  'cross-origin-opener-policy': 'unsafe-none',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
}

function toPolicy(formTarget: string | undefined): string {
  const target = formTarget === undefined ? '' : ` ${formTarget}`
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${target}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

function toDocument(page: Page): Html {
  const { title, body, serverName, refreshPath } = page
  const refresh = refreshPath && html`<meta http-equiv="refresh" content="0;url=${refreshPath}">`
  return html`<!doctype html>
<html lang="${wordsOf(page.language).htmlLang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh}
<title>${title} · ${serverName}</title>
<style>${{ html: style }}</style>
</head>
<body>
${toHeader(page)}
<main>
${body}
</main>
</body>
</html>
`
}

function toHeader({ language, serverName, otherLanguagePath }: PageFrame): Html {
  const other: Language = language === 'en' ? 'zh' : 'en'
  const link = html`<a class="language" href="${otherLanguagePath ?? ''}"
 hreflang="${wordsOf(other).htmlLang}" lang="${wordsOf(other).htmlLang}"
>${wordsOf(language).otherLanguage}</a>`
  return html`<header>
<div class="brand">${mark}<span>${serverName}</span></div>
${otherLanguagePath !== undefined && link}
</header>`
}

const mark = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 4h7v7H4zM13 4h7v7h-7zM4
 13h7v7H4z"/><circle cx="16.5" cy="16.5" r="3.5"/></svg>`
