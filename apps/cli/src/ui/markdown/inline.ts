import { Marked, type Token, type Tokens } from '@earendil-works/pi-tui'
import type { Theme } from '../contract.ts'

const { Lexer } = new Marked()
/** Without one of these, text is text. */
const special = /[\\`*_~[<&!]|:\/\/|www\.|@/

/** Emphasis, code and links of one block; its line breaks stay. */
export function renderInline(text: string, theme: Theme): string {
  if (!special.test(text) || countMarks(text) > marksMax) return text
  return renderTokens(Lexer.lexInline(text), theme)
}

/** The parser compares each with each: text of nothing else would take it minutes. */
const marksMax = 200
const marks = new Set(['*', '_', '~', '[', '`'])

function countMarks(text: string): number {
  let count = 0
  for (const sign of text) if (marks.has(sign)) count++
  return count
}

function renderTokens(tokens: readonly Token[], theme: Theme): string {
  return tokens.map((token) => renderToken(token, theme)).join('')
}

function renderToken(token: Token, theme: Theme): string {
  const inner = () => renderTokens((token as Tokens.Generic).tokens ?? [], theme)
  switch (token.type) {
    case 'strong':
      return onLines(theme.strong, inner())
    case 'em':
      return onLines(theme.emphasis, inner())
    case 'del':
      return onLines(theme.strike, inner())
    case 'codespan':
      return toCode(token.text, theme)
    case 'br':
      return '\n'
    case 'link':
      return toLink(token as Tokens.Link, inner(), theme)
    case 'image':
      return toLink(token as Tokens.Image, token.text, theme)
    case 'escape':
      return token.text
    case 'text':
      return toText(token.text)
    default:
      // Raw HTML, and what a newer parser may know, is shown as it was written.
      return token.raw
  }
}

function onLines(paint: Theme['strong'], text: string): string {
  return text.includes('\n') ? text.split('\n').map(paint).join('\n') : paint(text)
}

/** Where there are no colours, the marks say that it is code. */
function toCode(text: string, theme: Theme): string {
  const painted = onLines(theme.code, text)
  return painted === text ? `\`${text}\`` : painted
}

/** Where a link leads is never hidden behind what it says. */
function toLink({ href, text }: { href: string; text: string }, shown: string, theme: Theme) {
  const isSame = href === text || href === `mailto:${text}` || href === `http://${text}`
  if (isSame || shown === '') return theme.link(href)
  return `${shown} (${theme.link(href)})`
}

const named: Readonly<Record<string, string>> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ', '&#39;': "'" },
}

/** Numeric ones stay as they are: they could be any character. */
function toText(text: string): string {
  return text.includes('&')
    ? text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (e) => named[e] ?? e)
    : text
}
