import { readFile } from 'node:fs/promises'
import { lastUserText, type RecordedRequest, toolRounds, waitFor } from '@dataagent/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriersOf } from '../testing/test-barriers.ts'
import { startBrowser } from '../testing/test-browser.ts'
import { openPage } from '../testing/test-page.ts'
import { startSite, type TestSite } from '../testing/test-site.ts'

const browser = await startBrowser()

/** Knows the sum of the example, and never comes to an end where it is asked slowly. */
function answer(request: RecordedRequest) {
  const text = lastUserText(request)
  if (text.includes('fail')) return { error: 400, message: 'no such thing' }
  if (text.includes('slow')) return { text: 'x'.repeat(20_000), itl: 1_000 }
  if (text.includes('six times seven') && toolRounds(request) === 0) {
    const query = { source: 'workspace', sql: 'SELECT 6 * 7 AS n' }
    return { toolCalls: [{ name: 'run_sql', arguments: query }] }
  }
  return { text: text.includes('17 + 25') ? 'It is 42.' : 'Hello, I answer questions.' }
}

describe.skipIf(!browser)('the evaluations', () => {
  const chromium = browser as Browser
  let site: TestSite
  beforeAll(async () => {
    site = await startSite({ script: answer })
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await chromium.close()
  })

  test('begin with the example: it is imported, changed, run, and its report is read', async () => {
    await using shown = await openPage(chromium, site, { path: '/c' })
    const { page } = shown
    await page.getByRole('link', { name: 'Evaluations' }).click()
    await page.getByRole('heading', { name: 'No question sets yet' }).waitFor()
    expect(await barriersOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Import' }).last().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Questions').fill('- question: 5')
    await dialog.getByRole('button', { name: 'Import' }).click()
    await dialog
      .getByRole('alert')
      .getByText(/question 1/)
      .waitFor()
    await dialog.getByRole('button', { name: 'Use the example' }).click()
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'First questions' }).waitFor()

    await page.getByRole('button', { name: 'Edit greeting' }).click()
    await dialog.getByLabel('Words that must be in the answer').fill('hello')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row').filter({ hasText: 'has hello' }).waitFor()

    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog.getByLabel('Asked at the same time').fill('2')
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('2 of 3 passed').waitFor()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Report' }).click()
    await page.getByText('66.7 %').first().waitFor()
    await page.getByText('1 wrong answer').waitFor()
    await page.getByRole('region', { name: 'By category' }).getByText('numbers').waitFor()

    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('button', { name: /^date, Failed/ }).click()
    await dialog.getByText('Hello, I answer questions.').waitFor()
    await dialog.getByText('Pattern: not met').waitFor()
    await dialog.getByRole('link', { name: 'See the conversation' }).click()
    await page.waitForURL(/\/c\//)
    await page.getByText('Write the 2nd of January 2027').first().waitFor()
    expect(shown.problems).toEqual([])
    expect(shown.outside).toEqual([])
  })

  test('are downloaded, and compared with an earlier run', async () => {
    const { evaluations } = site.clientOf('ben')
    const question = { question_id: 'sum', question: '17 + 25?', expected_keywords: ['42'] }
    const body = { name: 'Sums', questions: [question] }
    const { dataset_id } = await evaluations.createDataset(body)
    const ids: string[] = []
    for (let at = 0; at < 2; at += 1) {
      const { run_id } = await evaluations.start({ dataset_id })
      await waitFor(async () => (await evaluations.run(run_id)).state === 'done')
      ids.push(run_id)
    }
    const path = `/evaluations/runs/${ids[1]}?tab=compare`
    await using shown = await openPage(chromium, site, { as: 'ben', path })
    const { page } = shown
    await page.getByLabel('Baseline').selectOption(ids[0]!)
    await page.getByText('The pass rate differs by no more than chance would make it.').waitFor()
    await page.getByText('No question has changed sides.').waitFor()
    expect(page.url()).toContain(`baseline=${ids[0]}`)
    await page.getByRole('tab', { name: 'Not passed' }).click()
    await page.getByRole('heading', { name: 'Every answer has passed' }).waitFor()
    await page.getByRole('button', { name: 'Download the report' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JUnit (XML)' }).click(),
    ])
    expect(saved.suggestedFilename()).toBe('Sums.xml')
    expect(await readFile(await saved.path(), 'utf8')).toContain('<testsuite')
    expect(shown.problems).toEqual([])
  })

  test('show questions without a group, times that nobody has, and every attempt', async () => {
    const { evaluations } = site.clientOf('olga')
    const sum = { question: '17 + 25?', expected_keywords: ['42'] }
    const questions = [
      { question_id: 'sum', category: 'sums', ...sum },
      { question_id: 'odd', question: 'fail' },
    ]
    const { dataset_id } = await evaluations.createDataset({ name: 'Groups', questions })
    const { run_id } = await evaluations.start({ dataset_id, attempts: 11 })
    await waitFor(async () => (await evaluations.run(run_id)).state === 'done', {
      ...{ timeoutMs: 60_000, what: 'the end of the run' },
    })
    const path = `/evaluations/runs/${run_id}?tab=report`
    await using shown = await openPage(chromium, site, { as: 'olga', path })
    const { page } = shown
    const row = page.getByRole('region', { name: 'By category' }).getByRole('row')
    const cells = row.filter({ hasText: '(none)' }).getByRole('cell')
    await cells.first().waitFor()
    expect((await cells.allTextContents()).slice(-2)).toEqual(['—', '—'])
    await page.getByRole('tab', { name: 'Questions' }).click()
    await page.getByRole('button', { name: /^sum, Passed/ }).click()
    const dialog = page.getByRole('dialog')
    const attempts = dialog.getByText('It is 42.')
    await expect.poll(() => attempts.count()).toBe(10)
    await dialog.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => attempts.count()).toBe(1)
    expect(shown.problems).toEqual([])
  })

  test('with expected queries are run on the source that is chosen', async () => {
    const { evaluations } = site.clientOf('ana')
    const question = { question_id: 'n', question: 'six times seven', expected_sql: 'SELECT 42' }
    const { dataset_id } = await evaluations.createDataset({ name: 'Rows', questions: [question] })
    const path = `/evaluations/datasets/${dataset_id}`
    await using shown = await openPage(chromium, site, { as: 'ana', path })
    const { page } = shown
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Run expected_sql on').selectOption('workspace')
    expect(await barriersOf(page, 'dialog')).toEqual([])
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('1 of 1 passed').waitFor()
    expect(shown.problems).toEqual([])
  })

  test('are stopped while they go on, and deleted', async () => {
    const { evaluations } = site.clientOf('ada')
    const questions = ['17 + 25', 'slow'].map((text) => ({ question_id: text[0]!, question: text }))
    const { dataset_id } = await evaluations.createDataset({ name: 'Slow', questions })
    const { run_id } = await evaluations.start({ dataset_id })
    await using shown = await openPage(chromium, site, {
      ...{ as: 'ada', path: `/evaluations/runs/${run_id}`, lang: 'zh' },
    })
    const { page } = shown
    await page.getByText('已问 1 / 2').waitFor()
    await page.getByRole('button', { name: /^s, 尚未提问/ }).waitFor()
    await page.getByRole('button', { name: '停止' }).click()
    await page.getByText('已停止', { exact: true }).waitFor()
    await page.getByRole('tab', { name: '报告' }).click()
    await page.getByText('运行没有完成').waitFor()
    await page.getByRole('button', { name: '删除' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await page.getByText('已删除这次运行。').waitFor()
    await page.waitForURL(/tab=runs/)
    expect(shown.problems).toEqual([])
  })

  test('of others are read by an auditor, who may not change them', async () => {
    await using shown = await openPage(chromium, site, { as: 'aud', path: '/evaluations?tab=runs' })
    const { page } = shown
    await page.getByRole('link', { name: 'Sums' }).first().click()
    await page.getByRole('heading', { name: 'Sums', level: 1 }).waitFor()
    await page.getByRole('status').getByText('1 of 1 passed').waitFor()
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await page.goto(`${site.url}/evaluations/runs/none`)
    await page.getByRole('heading', { name: 'There is no such evaluation.' }).first().waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0)
    expect(shown.problems).toEqual([])
  })
})
