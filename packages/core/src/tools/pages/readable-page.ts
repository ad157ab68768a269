import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import TurndownService from 'turndown'
import type { PageDocument, PageElement } from './page-dom.ts'
import { toTable } from './to-table.ts'

const require = createRequire(import.meta.url)
// Its types name another module.
const domino: { createDocument(html: string): PageDocument } = require('@mixmark-io/domino')

const noise =
  'script, style, noscript, template, iframe, object, embed, svg, canvas, form, nav, footer'
/** An article that has less of the page's text than this is not all that the page says. */
const articleShare = 0.25

/** The article of a page, or else all of it, as Markdown with whole links. */
export function toReadable({ html, url }: { html: string; url: string }) {
  const document = prepare(html, url)
  const title = squeeze(document.title ?? '')
  const length = squeeze(document.body?.textContent ?? '').length
  const article = readArticle(document)
  const isMost = article !== undefined && article.length >= length * articleShare
  // Reading the article has changed the document.
  const chosen = isMost ? article.element : prepare(html, url).body
  const markdown = chosen === null ? '' : createTurndown().turndown(chosen as never)
  return toPage(article?.title || title, markdown.replace(/\n{3,}/g, '\n\n').trim())
}

/** A title that the text begins with is not said twice. */
function toPage(title: string, markdown: string): { title: string; markdown: string } {
  return { title: markdown.startsWith(`# ${title}\n`) ? '' : title, markdown }
}

function prepare(html: string, url: string): PageDocument {
  const document = domino.createDocument(html)
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)
  for (const element of Array.from(document.querySelectorAll(noise))) element.remove()
  makeWhole(document, 'href', 'a[href]', base?.href ?? url)
  makeWhole(document, 'src', 'img[src]', base?.href ?? url)
  return document
}

/** Links that lead nowhere outside of a browser are taken away. */
function makeWhole(document: PageDocument, attribute: string, selector: string, base: string) {
  for (const element of Array.from(document.querySelectorAll(selector))) {
    const target = URL.parse(element.getAttribute(attribute)?.trim() ?? '', base)
    if (target !== null && /^(https?|mailto):$/.test(target.protocol)) {
      element.setAttribute(attribute, target.href)
    } else if (attribute === 'src') element.remove()
    else element.removeAttribute(attribute)
  }
}

interface Article {
  element: PageElement
  title: string
  length: number
}

function readArticle(document: PageDocument): Article | undefined {
  const options = {
    serializer: (node: unknown) => node,
    maxElemsToParse: 50_000,
    charThreshold: 200,
  }
  try {
    const article = new Readability(document as never, options as never).parse()
    const element = article?.content as PageElement | null | undefined
    if (!element) return undefined
    const length = squeeze(element.textContent ?? '').length
    return { element, title: squeeze(article?.title ?? ''), length }
  } catch {
    return undefined
  }
}

function createTurndown(): TurndownService {
  const turndown = new TurndownService({
    ...{ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' },
  })
  turndown.addRule('table', {
    filter: 'table',
    replacement: (content, node) => toTable(node as unknown as PageElement) ?? content,
  })
  return turndown
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
