import type { ExecutionEvent } from '@dataagent/schema'
import { lastUserText, longCount, toolRounds } from '@dataagent/testkit'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser } from '../testing/test-browser.ts'
import { type Frames, framesDuring } from '../testing/test-frames.ts'
import { fillLog, turnEvents } from '../testing/test-log.ts'
import { startTestMcpServer, type TestMcpServer } from '../testing/test-mcp-server.ts'
import { openPage, type TestPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

const turnCount = longCount(150, 2000)
const resultBytes = longCount(2, 10) * 1_000_000
const wordCount = longCount(3_000, 30_000)

/** The largest event that the log takes is 4 MiB. */
const loggedBytes = 3_900_000

/**
 * About five times what a busy machine with two cores, which paints without a graphics card, needs:
 * a pause of 500 ms, 40 ms from frame to frame.
 */
const limits = { pauseMs: 2_500, frameMs: 200 }

/** A reply in Markdown whose words come one by one; the server sends some of them together. */
const longReply = {
  text: `${Array.from({ length: wordCount }, (_, i) => (i % 60 === 59 ? '\n\nAnd' : ' word')).join('')}\n\nThe end.`,
  itl: 1,
}

describe.skipIf(!browser)('a large chat', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mcp: TestMcpServer
  beforeAll(async () => {
    mcp = await startTestMcpServer([
      {
        ...{ name: 'list_everything', description: 'Gives very much' },
        inputSchema: { type: 'object', properties: {} },
        annotations: { readOnlyHint: true },
        run: () => rowsOf(resultBytes),
      },
    ])
    site = await startSite({
      script(request) {
        if (lastUserText(request).startsWith('long')) return longReply
        if (toolRounds(request) > 0) return { text: 'That was all.' }
        const names = request.tools.map(({ name }) => name)
        const name = names.find((each) => each.includes('list_everything')) ?? 'none'
        return { toolCalls: [{ name, arguments: {} }] }
      },
    })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mcp[Symbol.asyncDispose]()
    await chromium.close()
  })

  /** A session that has been through this, in a page that shows the list of chats. */
  async function openFilled(events: readonly ExecutionEvent[], title: string): Promise<TestPage> {
    const { session_id } = await site.clientOf('ana').sessions.create({ title })
    await fillLog(site, session_id, events)
    const shown = await openPage(chromium, site, { path: '/c' })
    await shown.page.getByRole('link', { name: title }).waitFor()
    return shown
  }

  test(`of ${turnCount} turns opens at its end and scrolls smoothly`, {
    timeout: 120_000,
  }, async () => {
    const turns = Array.from({ length: turnCount }, (_, i) => turnEvents(i + 1))
    await using shown = await openFilled(turns.flat(), 'Many orders')
    const { page } = shown
    const opening = await framesDuring(page, async () => {
      await page.getByRole('link', { name: 'Many orders' }).click()
      await page.getByText(`That was answer ${turnCount}.`).waitFor()
    })
    const scrolling = await framesDuring(page, () => scrollThrough(page.getByRole('log')))
    await page.getByText(`That was answer ${turnCount}.`).waitFor()
    expect(await page.getByRole('article').count()).toBeLessThan(30)
    expectNoPause(opening)
    expectNoPause(scrolling)
    expectMotion(scrolling)
    expect(shown.problems).toEqual([])
  })

  test(`with a tool that gives ${resultBytes} bytes does not freeze`, {
    timeout: 120_000,
  }, async () => {
    await site.clientOf('ana').userServers.create('ana', { name: 'big', url: mcp.url })
    await using shown = await openPage(chromium, site, { path: '/c' })
    const { page } = shown
    const calling = await framesDuring(page, async () => {
      await say(page, 'everything')
      await page.getByRole('button', { name: 'Allow once' }).click()
      await page.getByText('That was all.').waitFor({ timeout: 60_000 })
    })
    const looking = await framesDuring(page, async () => {
      await page.getByText('big.list_everything', { exact: true }).click()
      await page.getByText('Item number 0').first().waitFor()
    })
    expectNoPause(calling)
    expectNoPause(looking)
    expect(shown.problems).toEqual([])
  })

  test.each([
    ['rows', rowsOf(loggedBytes), 'Item number 0'],
    ['a text', 'line of words \u200b\n'.repeat(loggedBytes / 18), 'line of words'],
    ['a text that is JSON', JSON.stringify(treeOf(loggedBytes)), 'branch 0'],
  ] as const)(
    'with %s of all that the log takes is opened, read on, and the page goes on',
    {
      timeout: 120_000,
    },
    async (kind, result, words) => {
      const events = turnEvents(1).map((event) =>
        event.event_type === 'tool_result' ? { ...event, result } : event,
      )
      await using shown = await openFilled(events, `Much: ${kind}`)
      const { page } = shown
      const opening = await framesDuring(page, async () => {
        await page.getByRole('link', { name: `Much: ${kind}`, exact: true }).click()
        await page.getByText('That was answer 1.').waitFor({ timeout: 60_000 })
      })
      const card = page.getByRole('article').locator('details')
      const looking = await framesDuring(page, async () => {
        await card.getByText('orders', { exact: true }).click()
        await card.getByText(words).first().waitFor()
      })
      const reading = await framesDuring(page, () => readOn(card, kind))
      for (const frames of [opening, looking, reading]) expectNoPause(frames)
      expect(shown.problems).toEqual([])
    },
  )

  test(`in which ${wordCount} words come at once stays in motion`, {
    timeout: 180_000,
  }, async () => {
    await using shown = await openPage(chromium, site, { path: '/c' })
    const { page } = shown
    let count = 0
    page.on('websocket', (socket) => socket.on('framereceived', () => (count += 1)))
    const writing = await framesDuring(page, async () => {
      await say(page, 'long')
      await page.getByText('The end.', { exact: true }).waitFor({ timeout: 120_000 })
    })
    // How many the server sends together depends on how busy it is; here it is three, or four.
    expect(count).toBeGreaterThan(wordCount / 20)
    expectNoPause(writing)
    expectMotion(writing)
    expect(shown.problems).toEqual([])
  })
})

function expectNoPause(frames: Frames): void {
  expect(frames.longestMs, JSON.stringify(frames)).toBeLessThan(limits.pauseMs)
}

function expectMotion(frames: Frames): void {
  expect(frames.tookMs / frames.frames, JSON.stringify(frames)).toBeLessThan(limits.frameMs)
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('combobox').fill(text)
  await page.keyboard.press('Enter')
}

/** From the top to the bottom, a screen with every frame. */
function scrollThrough(log: Locator): Promise<void> {
  return log.evaluate(async (box) => {
    box.scrollTop = 0
    for (let isAtEnd = false; !isAtEnd; ) {
      box.scrollTop += box.clientHeight
      await new Promise((resolve) => requestAnimationFrame(resolve))
      isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1
    }
  })
}

async function readOn(card: Locator, kind: 'rows' | 'a text' | 'a text that is JSON') {
  if (kind === 'rows') {
    await card.getByLabel('Filter rows').fill('number 4999')
    await card.getByText('Item number 4999', { exact: true }).waitFor()
    await card.getByRole('tab', { name: 'JSON', exact: true }).click()
  }
  const name = kind === 'a text' ? /^Show .* more$/ : /^\+ 100/
  for (let click = 0; click < 5; click += 1) await card.getByRole('button', { name }).click()
}

const row = (i: number) => ({
  id: i,
  name: `Item number ${i}`,
  city: 'Kyoto',
  note: 'x'.repeat(50),
})

function rowsOf(bytes: number) {
  const count = Math.ceil(bytes / JSON.stringify(row(99_999)).length)
  return { rows: Array.from({ length: count }, (_, i) => row(i)) }
}

function treeOf(bytes: number) {
  const leaf = { words: 'some words', more: [1, 2, 3] }
  const count = Math.floor(bytes / (JSON.stringify(leaf).length + 20))
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`branch ${i}`, leaf]))
}
