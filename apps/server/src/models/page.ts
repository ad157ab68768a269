import type { Lang } from '../config/index.ts'
import { type Tag, tags } from '../deps/index.ts'
import type { OpenApiDocument } from './document.ts'
import { type Html, html, prose } from './html.ts'
import { type PlacedOperation, renderOperation } from './page-operation.ts'
import { renderFields } from './page-schema.ts'
import { type PageWords, pageWords } from './page-words.ts'
import { tagTexts } from './tag-texts.ts'

/** The document as a page for people, without script. Its style is `pageStyle`, beside it. */
export function renderPage(document: OpenApiDocument, lang: Lang): string {
  const words = pageWords[lang]
  const used = tags.filter((tag) => operationsOf(document, tag).length > 0)
  const page = html`<!doctype html>
<html lang="${lang === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>DataAgent · ${words.title}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="docs.css">
</head>
<body>
${renderNav(used, words)}
<main>
<header><h1>DataAgent <small>${document.info.version}</small></h1>
${document.info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
<p><a href="openapi.json">${words.machine}</a></p></header>
${used.map((tag) => renderSubject(document, tag, lang))}
${renderSchemas(document, words)}
</main>
</body>
</html>
`
  return page.html
}

function renderNav(used: readonly Tag[], words: PageWords): Html {
  const links = used.map((tag) => html`<li><a href="#${tag}">${tag}</a></li>`)
  return html`<nav aria-label="${words.subjects}"><strong>${words.title}</strong>
<ul>${links}<li><a href="#schemas">${words.schemas}</a></li></ul></nav>`
}

function operationsOf({ paths }: OpenApiDocument, tag: Tag): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )
}

function renderSubject(document: OpenApiDocument, tag: Tag, lang: Lang): Html {
  const operations = operationsOf(document, tag)
  return html`<section aria-labelledby="${tag}">
<h2 id="${tag}">${tag}</h2>
<p>${tagTexts[tag][lang]}</p>
${operations.map((placed) => renderOperation(placed, document, pageWords[lang]))}
</section>
`
}

function renderSchemas({ components }: OpenApiDocument, words: PageWords): Html {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<details><summary><code>${name}</code></summary>
<div id="schema-${name}">${renderFields(schema, words)}</div></details>
`,
  )
  return html`<section aria-labelledby="schemas"><h2 id="schemas">${words.schemas}</h2>
${schemas}</section>`
}
