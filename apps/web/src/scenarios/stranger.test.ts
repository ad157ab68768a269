import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { openAsStranger, startAsStranger } from '../testing/first-run/test-first-start.ts'
import { firstWalk } from '../testing/first-run/test-first-walk.ts'
import { firstWords } from '../testing/first-run/test-first-words.ts'
import { startBrowser } from '../testing/test-browser.ts'

const browser = await startBrowser()
afterAll(() => browser?.close())

/** docs/first-run.md describes each of these steps. */
test.skipIf(!browser).each(Object.entries(firstWords))(
  'a stranger gets from npm start to an answer, an approved call, a server of their own, a key for others and the terminal: %s [D36.1] [E9.1]',
  { timeout: 120_000 },
  async (_lang, words) => {
    await using product = await startAsStranger({ env: { LANG: words.lang } })
    await using opened = await openAsStranger(browser as Browser, words)
    const { page } = opened
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))

    for (const { go } of firstWalk) await go({ page, product, words })
    expect(problems).toEqual([])
  },
)

test.each(Object.values(firstWords))('$page names all that is clicked', async (words) => {
  const url = new URL(`../../../../docs/${words.page}`, import.meta.url)
  const text = await readFile(url, 'utf8')
  expect(named.filter((name) => !text.includes(words[name]))).toEqual([])
})

const named = [
  ...(['ask', 'newChat', 'cancel', 'allow', 'tools', 'paste', 'read', 'add'] as const),
  ...(['connected', 'tryIt', 'run', 'expose', 'newGroup', 'create', 'howTo', 'byKey'] as const),
  ...(['url', 'header', 'inspector'] as const),
]
