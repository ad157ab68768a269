import { expect, test } from 'vitest'
import { toOpenApi } from './open-api.ts'
import { renderPage } from './page.ts'
import { preferredLang } from './preferred-lang.ts'
import { testRoutes } from './test-routes.ts'

const document = toOpenApi(testRoutes, { version: '1.2.3' })

test('the page has every operation and every schema under an anchor of its own', () => {
  const page = renderPage(document, 'en')
  for (const methods of Object.values(document.paths))
    for (const { operationId } of Object.values(methods))
      expect(page).toContain(`id="${operationId}"`)
  for (const name of Object.keys(document.components.schemas))
    expect(page).toContain(`id="schema-${name}"`)
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, to]) => `id="${to}"`)
  expect(targets.filter((target) => !page.includes(target))).toEqual([])
})

test('it holds neither script nor style, and escapes what it is given', () => {
  const page = renderPage(document, 'en')
  expect(page).not.toMatch(/<script|<style|style=|onclick/)
  expect(page).toContain('Ask &lt;an&gt; agent.')
})

test('its headings are in the language that the reader prefers', () => {
  expect(renderPage(document, 'zh')).toContain('<h2 id="schemas">数据结构</h2>')
  expect(renderPage(document, 'zh')).toContain('lang="zh-CN"')
})

test.each([
  [undefined, 'en'],
  ['de', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['en;q=0.5, zh-TW', 'zh'],
  ['en, zh;q=0.9', 'en'],
  ['zh;q=0, en;q=0.1', 'en'],
])('Accept-Language %s is %s', (header, lang) => {
  expect(preferredLang(header)).toBe(lang)
})
