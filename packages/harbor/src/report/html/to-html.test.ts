import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { callingTestFile, ensureBinary, reportSkip } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { compareReports } from '../compare-reports.ts'
import { toLivelyReport, toTestReport, toTrial, toWrong } from '../test-reports.ts'
import { toHtml } from './to-html.ts'

const hostile = [
  '<script>document.title = "owned"</script>',
  '</style></title></pre><img src=x onerror="document.title=1">',
  '" onmouseover="alert(1)" x="\' onload=\'',
  '<!-- --><iframe src="http://example.com"></iframe>',
  '\u0000\u001b\ud800',
].join('')

/** As long as the name of a group may be. */
const short = '</td><script>a</script><img src=x onerror="a">\u0000'

const hostileReport = toTestReport({
  name: hostile,
  target: { url: hostile, transport: 'ws', assistant_id: hostile, server_version: hostile },
  questions: [
    {
      ...{ question: hostile, category: short, difficulty: short, tags: [short] },
      ...{ expected_keywords: [hostile], expected_pattern: hostile, expected_tools: [short] },
      expected_sql: hostile,
    },
  ],
  trials: [
    toWrong({
      answer: hostile,
      failure: { kind: 'capability', code: hostile, message: hostile },
      checks: [{ name: 'keywords', passed: false, message: hostile }],
      tools: [{ name: hostile, status: 'error', ms: 1 }],
    }),
  ],
})
const quietReport = toTestReport({
  questions: [
    {
      ...{ category: 'c', difficulty: 'd', tags: ['t'], expected_keywords: ['k'] },
      ...{ expected_pattern: 'p', expected_tools: ['t'], expected_sql: 's' },
    },
  ],
  trials: [toWrong({ tools: [{ name: 't', status: 'error', ms: 1 }] })],
})

/** The elements of the page, by name, as often as they are opened. */
function elementsOf(page: string): Record<string, number> {
  const names = [...page.matchAll(/<([a-z][a-z0-9]*)/gi)].map((match) => match[1] ?? '')
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([n, all]) => [n, all.length]),
  )
}

describe('toHtml', () => {
  test('is one file that fetches and runs nothing [D27.5]', () => {
    const page = toHtml(toLivelyReport(), { lang: 'en' })
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src`,
    )
    expect(page).not.toMatch(
      /<(?:script|link|img|iframe|object|form|base)\b|\bon\w+=|url\(|@import/i,
    )
    expect(page).not.toMatch(/\s(?:src|href|action|xlink:href)=/i)
    expect(page.replaceAll('http://a', '')).not.toMatch(/https?:/)
  })

  test('a run that counted nothing says so, and has no figure of it', () => {
    const page = toHtml(toTestReport({ trials: [], questions: [{ category: 'c' }] }), {
      lang: 'en',
    })
    expect(page).toContain('No trial was counted')
    expect(page).not.toMatch(/0\.0 %|0\.0<|\b0 ms|Every trial has passed/)
  })

  test('texts of others add no element and leave no attribute', () => {
    const page = toHtml(hostileReport, { lang: 'en' })
    expect(elementsOf(page)).toEqual(elementsOf(toHtml(quietReport, { lang: 'en' })))
    expect(page).toContain('&lt;script&gt;document.title')
    expect(page).not.toMatch(/(?![\t\n])[\p{Cc}\p{Cs}]/u)
  })

  test('tells scores, groups and the transcript of each failure [D27.5]', () => {
    const page = toHtml(toLivelyReport({ seed: 2 }), { lang: 'en' })
    for (const text of ['Pass rate', '销售分析', 'By difficulty', 'nightly', 'p99.9']) {
      expect(page).toContain(text)
    }
    expect(page).toContain('<pre>I found 1,199 orders.')
    expect(page).toContain('<span class="key failed">✗ 1,284</span>')
    expect(page.match(/<svg [^>]*role="img"/g)).toHaveLength(2)
  })

  test('in Chinese no English word of ours is left', () => {
    const [a, b] = [toLivelyReport(), toLivelyReport({ seed: 2 })]
    const page = toHtml(b, { lang: 'zh', comparison: compareReports(a, b) })
    expect(page).toContain('<html lang="zh-CN">')
    expect(page).not.toMatch(/Pass rate|Whole answer|within noise|Not passed|Compared/)
    expect(page).toContain('与上次运行比较')
  })

  test.each([
    ['no trial', toTestReport({ trials: [] })],
    ['one trial', toTestReport()],
    [
      'trials of no time',
      toTestReport({ trials: [toTrial({ total_ms: 0 }), toTrial({ total_ms: 0 })] }),
    ],
  ])('%s leaves no broken figure', (_, report) => {
    const page = toHtml(report, { lang: 'en', comparison: compareReports(report, report) })
    expect(page).not.toMatch(/NaN|Infinity|undefined|null/)
  })

  test('a run of many thousands is still a page', () => {
    const trials = Array.from({ length: 20_000 }, () => toWrong({ answer: 'x'.repeat(500) }))
    const page = toHtml(toTestReport({ trials }), { lang: 'en' })
    expect(page).toContain('300 of 20,000 are shown')
    expect(page.length).toBeLessThan(2_000_000)
  })

  test('a real browser reads it as it was meant', { timeout: 60_000 }, async () => {
    const testFile = callingTestFile()
    const chromium = await ensureBinary('chromium', 'chromium')
    if (chromium === undefined) return reportSkip(testFile, 'Chromium is not here')
    const folder = await mkdtemp(join(tmpdir(), 'harbor-page-'))
    try {
      const file = join(folder, 'report.html')
      await writeFile(file, toHtml(hostileReport, { lang: 'en' }))
      const args = [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${folder}/profile`,
      ]
      const { stdout } = await promisify(execFile)(chromium, [...args, '--dump-dom', file])
      expect(elementsOf(stdout)).toEqual(elementsOf(toHtml(quietReport, { lang: 'en' })))
      expect(stdout).toMatch(/<title>&lt;script&gt;/)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
