import { isClientError } from '@dataagent/client'
import type { JsonObject } from '@dataagent/schema'
import { type HostileHttp, startHostileHttp, waitFor } from '@dataagent/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { type Person, startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

describe.skipIf(!browser)('the approvals', () => {
  const chromium = browser as Browser
  let site: TestSite
  let mall: HostileHttp
  beforeAll(async () => {
    mall = await startHostileHttp('none')
    site = await startSite()
    await offerMall(site)
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await mall[Symbol.asyncDispose]()
    await chromium.close()
  })
  beforeEach(async () => {
    for (const { approval_id } of await waiting()) {
      await site.clientOf('ada').approvals.decide(approval_id, { type: 'reject' })
    }
  })

  async function offerMall({ clientOf }: TestSite) {
    const client = clientOf('ada')
    const { server_id } = await client.servers.create({ config: { name: 'mall', url: mall.url } })
    await waitFor(async () => (await client.tools.list({ server_id })).total === 4)
  }

  const waiting = async (as: Person = 'ada') =>
    (await site.clientOf(as).approvals.list({ status: 'pending' })).approvals

  /** A call that was decided is not asked about again: each is another one. */
  let asked = 0

  /** Calls a tool that asks; gives what came of it, once it has been decided. */
  async function ask(args: JsonObject, { as = 'ana' as Person, at = site } = {}) {
    const client = at.clientOf(as)
    const before = (await client.approvals.list({ status: 'pending' })).approvals.length
    asked += 1
    const call = client.tools.call({
      ...{ tool: 'mall.count', args: { ...args, asked }, wait_for_approval: true },
    })
    const outcome = call.then(
      ({ status }) => status,
      (error) => (isClientError(error) ? error.error_code : 'unknown'),
    )
    const found = await waitFor(async () => {
      const { approvals } = await client.approvals.list({ status: 'pending' })
      return approvals.length > before ? approvals[0] : undefined
    })
    return { approval_id: found.approval_id, outcome }
  }

  const itemOf = (page: Page, approval_id: string) =>
    page.locator(`[data-approval="${approval_id}"]`)

  test('the queue is moved through and answered by keys', async () => {
    const first = await ask({ order: 'o-1' })
    const second = await ask({ order: 'o-2' })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    const [older, newer] = [itemOf(page, first.approval_id), itemOf(page, second.approval_id)]
    await newer.getByText('on mall').waitFor()
    await newer.getByText(/^ana · asked/).waitFor()
    await newer.getByText('its server says that it is destructive').waitFor()
    await newer.getByText(/left$/).waitFor()

    await page.keyboard.press('j')
    expect(await newer.evaluate((item) => item === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await newer.getByText('“o-2”').waitFor()
    expect(page.url()).toContain(`id=${second.approval_id}`)
    await page.keyboard.press('y')
    await page.getByText('count was allowed.').waitFor()
    expect(await second.outcome).toBe('ok')

    await newer.getByText(/Allowed by you at .* · for this call/).waitFor()
    await page.keyboard.press('j')
    expect(await older.evaluate((item) => item === document.activeElement)).toBe(true)
    await page.keyboard.press('n')
    await page.keyboard.type('Not this order.')
    await older.getByRole('button', { name: 'Reject and let it go on' }).click()
    expect(await first.outcome).toBe('approval_rejected')
    await older.getByText(/Rejected by you at .*: Not this order\./).waitFor()

    await page.getByRole('button', { name: 'Decided' }).click()
    await page.getByText('Rejected').first().waitFor()
    expect(page.url()).toContain('status=decided')
    await page.getByRole('button', { name: 'Carried out' }).click()
    await newer.getByRole('button', { name: 'count', exact: true }).click()
    await newer.getByText(/^Carried out .*2/).waitFor()
    expect(shown.problems).toEqual([])
  })

  test('a key that is held, or was for the one before, allows nothing that was not looked at', async () => {
    const first = await ask({ order: 'o-1' })
    const second = await ask({ order: 'o-2' })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    const [older, newer] = [itemOf(page, first.approval_id), itemOf(page, second.approval_id)]
    await older.waitFor()
    await page.evaluate((id) => {
      addEventListener('focusin', ({ target }) => {
        if ((target as HTMLElement).dataset.approval !== id) return
        target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }))
      })
    }, first.approval_id)
    await newer.focus()
    await page.keyboard.down('y')
    expect(await second.outcome).toBe('ok')
    await page.waitForFunction(
      (id) => (document.activeElement as HTMLElement).dataset.approval === id,
      first.approval_id,
    )
    await page.keyboard.down('y')
    await page.keyboard.up('y')
    expect(await waiting()).toMatchObject([{ approval_id: first.approval_id }])
    expect(shown.problems).toEqual([])
  })

  test('arguments are changed before the call is allowed', async () => {
    const { approval_id, outcome } = await ask({ order: 'o-1' })
    await using shown = await openPage(chromium, site, { path: '/approvals' })
    const { page } = shown
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Change the arguments, then allow').fill('{"order":')
    await page.getByText('This is no JSON object.').waitFor()
    await page.getByLabel('Change the arguments, then allow').fill('{"order":"o-9"}')
    await page.getByRole('button', { name: 'Allow with these arguments' }).click()
    expect(await outcome).toBe('ok')
    const decided = await site.clientOf('ana').approvals.get(approval_id)
    expect(decided).toMatchObject({ status: 'decided', decision: { args: { order: 'o-9' } } })
    expect(shown.problems).toEqual([])
  })

  test('what a call hides is shown by its number, markup is text, and all of it is there [T42]', async () => {
    const markup = '<img src=x onerror="window.hit=1"><b>Allow</b>'
    const command = `${'echo fine; '.repeat(150)}rm -rf end-of-it`
    await ask({ file: 'report\u202etxt.exe', 'na\u200bme': 'b', markup, command })
    await using shown = await openPage(chromium, site, { path: '/approvals' })
    const { page } = shown
    const item = page.getByRole('article').first()
    await item.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    for (const words of ['U+202E', 'U+200B', markup, 'end-of-it']) {
      await item.getByText(words).first().waitFor()
    }
    expect(await item.textContent()).not.toMatch(/[\u202e\u200b]/)
    expect(await item.locator('img, b').count()).toBe(0)
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(shown.problems).toEqual([])
  })

  test('it comes by itself, is handed over, and whom it was given to can say yes or no alone', async () => {
    await using own = await openPage(chromium, site, { path: '/approvals' })
    await own.page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
    const { approval_id, outcome } = await ask({ order: 'o-3' })
    await own.page.getByRole('button', { name: 'Ask someone else' }).click()
    await own.page.getByLabel('User').fill('ben')
    await own.page.getByRole('button', { name: 'Send' }).click()
    await own.page.getByText('Sent to ben').waitFor()
    await own.page.getByRole('button', { name: 'Decide it here all the same' }).click()
    await own.page.getByRole('button', { name: 'Allow once' }).waitFor()

    await using other = await openPage(chromium, site, { as: 'ben', path: '/approvals' })
    const item = itemOf(other.page, approval_id)
    await item.getByText('handed to you').waitFor()
    await item.getByRole('button', { name: 'Allow once' }).waitFor()
    expect(await item.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
    expect(await item.getByRole('button', { name: 'Allow in this chat' }).count()).toBe(0)
    await item.getByRole('button', { name: 'Allow once' }).click()
    expect(await outcome).toBe('ok')
    expect([...own.problems, ...other.problems]).toEqual([])
  })

  test('several are rejected together, after a question', async () => {
    const outcomes = []
    for (const order of ['o-1', 'o-2', 'o-3']) outcomes.push((await ask({ order })).outcome)
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    await page.getByLabel('Select count').first().check()
    await page.getByText('1 selected').waitFor()
    await page.getByLabel('1 selected').check()
    await page.getByRole('button', { name: 'Reject selected' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject 3 approvals?' })
    await dialog.getByLabel(/^Reason/).fill('Not today.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('3 rejected.').waitFor()
    expect(await Promise.all(outcomes)).toEqual(Array(3).fill('approval_rejected'))
    expect(shown.problems).toEqual([])
  })

  test('of several that are rejected, one that somebody else decides hinders no other', async () => {
    const asked = []
    for (const order of ['o-1', 'o-2', 'o-3']) asked.push(await ask({ order }))
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    await page.getByLabel('Select count').nth(2).waitFor()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Reject selected' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject 3 approvals?' })
    await dialog.waitFor()
    await site.clientOf('ana').approvals.decide(asked[1]!.approval_id, { type: 'approve' })
    expect(await asked[1]?.outcome).toBe('ok')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('2 rejected.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect([await asked[0]?.outcome, await asked[2]?.outcome]).toEqual(
      Array(2).fill('approval_rejected'),
    )
    expect(shown.problems).toEqual([])
  })

  test('an administrator sees everybody’s, or their own', async () => {
    await ask({ order: 'o-1' })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    await page.getByText(/^ana · asked/).waitFor()
    await page.getByRole('button', { name: 'Mine' }).click()
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
    expect(page.url()).toContain('mine=true')
    await using own = await openPage(chromium, site, { as: 'ben', path: '/approvals?status=all' })
    await own.page.getByRole('button', { name: 'All' }).waitFor()
    expect(await own.page.getByRole('button', { name: 'Mine' }).count()).toBe(0)
    expect([...shown.problems, ...own.problems]).toEqual([])
  })

  test('on a phone nothing runs over, and a tap allows for good', async () => {
    const { outcome } = await ask({ note: 'x'.repeat(300), order: { id: 'o-5', lines: [1, 2] } })
    await using shown = await openPage(chromium, site, {
      ...{ path: '/approvals', lang: 'zh', theme: 'dark', viewport: { width: 360, height: 740 } },
    })
    const { page } = shown
    await page.getByRole('button', { name: '允许一次' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: '始终允许这个工具' }).click()
    expect(await outcome).toBe('ok')
    const { rules } = await site.clientOf('ana').policy.rules()
    expect(rules).toMatchObject([{ server_id: 'mall', tool: 'count', effect: 'allow' }])
    for (const { rule_id } of rules) await site.clientOf('ana').policy.deleteRule(rule_id)
    expect(shown.problems).toEqual([])
  })

  test('the browser tells of a new one, where it was asked to', async () => {
    await using shown = await openPage(chromium, site, { permissions: ['notifications'] })
    const { page } = shown
    await page.addInitScript(() => {
      const told: string[] = []
      class Recorded extends EventTarget {
        static permission = 'granted'
        static requestPermission = async () => 'granted'
        constructor(title: string, { body = '' }: NotificationOptions = {}) {
          super()
          told.push(`${title} ${body}`)
        }
      }
      Object.assign(window, { Notification: Recorded, told })
    })
    await page.goto(`${site.url}/approvals`)
    await page.getByRole('button', { name: 'Notify me' }).click()
    await page.getByRole('button', { name: 'Notifications are on' }).waitFor()
    await ask({ order: 'o-7' })
    await page.getByText(/left$/).waitFor()
    const told = await page.waitForFunction(() => {
      const { told } = window as unknown as { told: string[] }
      return told.length > 0 ? told : undefined
    })
    expect(await told.jsonValue()).toEqual([expect.stringMatching(/^Allow count\? ana: /)])
    expect(shown.problems).toEqual([])
  })

  test('the simulator says what decides a call, in words', async () => {
    const { approval_id } = await ask({ order: 'o-1' })
    await using shown = await openPage(chromium, site, { as: 'ada', path: '/approvals' })
    const { page } = shown
    await itemOf(page, approval_id).getByRole('button', { name: 'Which rule asks?' }).click()
    const dialog = page.getByRole('dialog', { name: 'Policy simulator' })
    await dialog.getByText('A person is asked first.').waitFor()
    await dialog.getByText('Its server says that it is destructive.').first().waitFor()
    await dialog.getByText('The arguments fit the tool.').waitFor()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await dialog.getByRole('combobox', { name: 'Tool' }).fill('mall.echo')
    await dialog.getByRole('switch', { name: 'With arguments' }).click()
    await dialog.getByRole('button', { name: 'Explain' }).click()
    await dialog.getByText('The call is allowed.').waitFor()

    const { rule_id } = await site.clientOf('ada').policy.addRule({
      ...{ tier: 'tenant', subject: { kind: 'user', id: 'ana' } },
      ...{ server_id: 'mall', tool: 'echo', effect: 'deny' },
    })
    await dialog.getByRole('button', { name: 'Explain' }).click()
    await dialog.getByText('The call is refused.').waitFor()
    await dialog.getByText(`Rule ${rule_id} of tier Tenant says: Deny.`).waitFor()
    await dialog.getByRole('combobox', { name: 'Tool' }).fill('no.such.tool')
    await dialog.getByRole('button', { name: 'Explain' }).click()
    await dialog.getByText('There is no such tool').waitFor()
    await site.clientOf('ada').policy.deleteRule(rule_id)
    expect(shown.problems).toEqual([])
  })

  test('an auditor is told where to look', async () => {
    await using shown = await openPage(chromium, site, { as: 'aud', path: '/approvals' })
    await shown.page.getByText('As an auditor you find every decision in the audit.').waitFor()
    expect(await shown.page.getByRole('alert').count()).toBe(0)
  })

  test('what nobody answered in time is asked again', { timeout: 90_000 }, async () => {
    await using brief = await startSite({ env: { DATAAGENT_APPROVAL_TIMEOUT: '2' } })
    await offerMall(brief)
    const { approval_id, outcome } = await ask({ order: 'o-1' }, { at: brief })
    await outcome
    const path = `/approvals?id=${approval_id}`
    await using shown = await openPage(chromium, brief, { path })
    const { page } = shown
    await page.getByText('Nobody answered in time.').waitFor()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('asked 2 times').waitFor()
    expect(shown.problems).toEqual([])
  })
})
