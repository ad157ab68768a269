import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '@dataagent/testkit'
import type { Browser } from 'playwright-core'
import { toWebp } from '../screens/test-webp.ts'
import { startBrowser } from '../test-browser.ts'
import { openAsStranger, startAsStranger } from './test-first-start.ts'
import { firstWalk } from './test-first-walk.ts'
import { type FirstWords, firstWords } from './test-first-words.ts'
import { type Recorded, recordedTable, toRows, withRecorded } from './test-recorded.ts'

// Walks docs/first-run.md from a fresh clone, and puts times and pictures of it on the page.
const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const folder = join(root, 'docs/screens/first-run')
/** Packages are installed, pages and terminal made. */
const setUpMs = 600_000

const browser = await startBrowser()
if (!browser) throw new Error('Chromium is needed: install the package chromium')
await using place = await temporaryDirectory()
const repository = join(place.path, 'clone')
await promisify(execFile)('git', ['clone', '--quiet', root, repository])
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })

const en = await record(browser, 'en', firstWords.en)
const zh = await record(browser, 'zh', firstWords.zh)
await browser.close()
const rows = toRows({ en, zh })
const machine = { date: new Date().toISOString().slice(0, 10), cores: availableParallelism() }
for (const lang of ['en', 'zh'] as const) {
  const file = join(root, 'docs', firstWords[lang].page)
  const table = recordedTable(lang, rows[lang], machine)
  await writeFile(file, withRecorded(await readFile(file, 'utf8'), table))
}

async function record(browser: Browser, lang: 'en' | 'zh', words: FirstWords): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  const add = (step: Omit<Recorded, 'seconds'>, since: number) => {
    const seconds = (performance.now() - since) / 1e3
    recorded.push({ ...step, seconds })
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${step.en}`)
  }
  let since = performance.now()
  const stranger = { env: { LANG: words.lang }, repository, timeoutMs: setUpMs }
  await using product = await startAsStranger(stranger)
  add({ en: '`npm start` until its link', zh: '`npm start` 到给出链接' }, since)
  await using opened = await openAsStranger(browser, words)
  const { page } = opened
  for (const { go, ...step } of firstWalk) {
    since = performance.now()
    await go({ page, product, words })
    add(step, since)
    if (step.picture === undefined) continue
    await writeFile(join(folder, `${step.picture}.${lang}.webp`), await toWebp(page))
  }
  return recorded
}
