import type { DataRow } from '@dataagent/schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyChart } from '../charts/test-arbitraries.ts'
import { column, testCharts } from '../charts/test-charts.ts'
import { toChartHtml } from './chart-html.ts'
import { toChartSvg } from './chart-svg.ts'
import { readXml, type XmlElement } from './test-xml.ts'

const drawn = new Set(['svg', 'g', 'path', 'rect', 'text', 'tspan', 'defs', 'clipPath', 'desc'])
const shapes = new Set([
  ...drawn,
  'circle',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'stop',
])

function expectSafe(elements: readonly XmlElement[]) {
  for (const { name, attributes } of elements) {
    expect(shapes).toContain(name)
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on|href|^src$/i)
      if (attribute !== 'aria-label') expect(value).not.toMatch(/javascript:|url\((?!#)|NaN/i)
    }
  }
}

/** What a loop over an object meets: something here was put into the prototype of all. */
function enumerated(object: object): string[] {
  const names: string[] = []
  for (const name in object) names.push(name)
  return names
}

const looks = (['en', 'zh'] as const).flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
)

describe('toChartSvg', () => {
  test.each(
    Object.entries(testCharts).flatMap(([type, chart]) =>
      looks.map((look) => ({ type, ...look, chart })),
    ),
  )('draws a $type chart in $language, $theme', async ({ chart, language, theme }) => {
    const svg = await toChartSvg({ ...chart, language, theme })
    const { elements, text } = readXml(svg)
    expectSafe(elements)
    expect(elements[0]).toMatchObject({ name: 'svg', attributes: { role: 'img', width: '720' } })
    expect(
      elements.filter(({ name }) => name === 'path' || name === 'text').length,
    ).toBeGreaterThan(2)
    expect(text).not.toContain('undefined')
  })

  test('gives the same bytes twice, and ids that no other chart has', async () => {
    const look = { language: 'en', theme: 'light' } as const
    const svg = await toChartSvg({ ...testCharts.line, ...look })
    expect(await toChartSvg({ ...testCharts.line, ...look })).toBe(svg)
    const other = await toChartSvg({ ...testCharts.area, ...look })
    const ids = (text: string): string[] => text.match(/ id="[^"]+"/g) ?? []
    expect(ids(svg).length).toBeGreaterThan(0)
    expect(ids(svg).filter((id) => ids(other).includes(id))).toEqual([])
  })

  test('draws what data says as text', async () => {
    const columns = [column('name', 'text'), column('n', 'integer')]
    const spec = { type: 'bar' as const, x: 'name', y: ['n'], title: '<script>alert(1)</script>' }
    const rows = [
      ['<b>&"', 1],
      ['c', 2],
    ]
    const svg = await toChartSvg({ spec, columns, rows, language: 'en', theme: 'light' })
    expect(svg).not.toContain('<script')
    expect(readXml(svg).text).toContain('<script>alert(1)</script>')
    expect(readXml(svg).text).toContain('<b>&"')
  })

  test('names like "__proto__" reach no other object', async () => {
    const columns = [column('__proto__', 'text'), column('constructor', 'integer')]
    const spec = { type: 'pie' as const, x: '__proto__', y: ['constructor'], title: '__proto__' }
    const rows = Object.getOwnPropertyNames(Object.prototype).map((name, i): DataRow => [name, i])
    for (const type of ['pie', 'bar', 'line'] as const) {
      await toChartSvg({ spec: { ...spec, type }, columns, rows, language: 'en', theme: 'light' })
    }
    expect(enumerated({})).toEqual([])
  })

  test('has the size asked for', async () => {
    const size = { width: 500, height: 250 }
    const svg = await toChartSvg({ ...testCharts.bar, ...size, language: 'zh', theme: 'dark' })
    expect(readXml(svg).elements[0]!.attributes).toMatchObject({ width: '500', height: '250' })
  })

  test.each([1e-14, 1e-9, 1, 1e15, 1e150])(
    'numbers about %d that hardly differ are drawn',
    async (n) => {
      const columns = [column('x', 'float'), column('y', 'float')]
      for (const part of [0, 2 ** -52, 1e-12, 1e-3]) {
        const rows = [
          [n, n],
          [n * 2, n * (1 + part)],
        ]
        for (const type of ['line', 'scatter', 'bar'] as const) {
          const spec = { type, x: 'x', y: ['y'] }
          const svg = await toChartSvg({ spec, columns, rows, language: 'en', theme: 'light' })
          expectSafe(readXml(svg).elements)
        }
      }
    },
  )

  test('10,000 rows are drawn in bounded time', async () => {
    const columns = [column('x', 'integer'), column('n', 'integer'), column('s', 'text')]
    const rows = Array.from(
      { length: 10_000 },
      (_, i): DataRow => [i, (i * 7919) % 1_000, `s${i % 40}`],
    )
    const started = performance.now()
    for (const type of ['bar', 'line', 'area', 'scatter', 'heatmap'] as const) {
      const spec = { type, x: 'x', y: ['n'], series: 's' }
      const svg = await toChartSvg({ spec, columns, rows, language: 'en', theme: 'light' })
      expect(svg.length).toBeLessThan(4_000_000)
    }
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('a label that is cut within a character is whole text all the same', async () => {
    const spec = { type: 'pie' as const, x: 'b', y: ['n'] }
    const columns = [column('b', 'text'), column('n', 'integer')]
    for (const label of ['𐀀'.repeat(6), '𐀀'.repeat(7), `a${'𐀀'.repeat(9)}`]) {
      const look = { language: 'en', theme: 'light' } as const
      const svg = await toChartSvg({ spec, columns, rows: [[label, 1]], ...look, width: 400 })
      expect(svg.isWellFormed()).toBe(true)
    }
  })

  test('no chart over any result throws or is unsafe', async () => {
    await fc.assert(
      fc.asyncProperty(anyChart, fc.constantFrom(...looks), async (chart, look) => {
        expectSafe(readXml(await toChartSvg({ ...chart, ...look, width: 400 })).elements)
        expect(enumerated({})).toEqual([])
      }),
      { numRuns: 200 },
    )
  }, 60_000)
})

describe('toChartHtml', () => {
  test('is a page without script that holds the chart and its rows', async () => {
    const html = await toChartHtml({ ...testCharts.bar, language: 'zh', theme: 'light' })
    expect(html).not.toMatch(/<script|\son\w+=|javascript:/i)
    expect(html).toContain("default-src 'none'")
    expect(html).toContain('<svg')
    expect(html).toContain('<td class="number">90000.50</td>')
    expect(html).toContain('West &amp; &lt;b&gt;South&lt;/b&gt;')
  })

  test('shows the first thousand rows and says how many there are besides', async () => {
    const rows = Array.from({ length: 1_500 }, (_, i): DataRow => [`n${i}`, i])
    const columns = [column('name', 'text'), column('n', 'integer')]
    const spec = { type: 'bar' as const, x: 'name', y: ['n'] }
    const html = await toChartHtml({ spec, columns, rows, language: 'en', theme: 'dark' })
    expect(html).toContain('the other 500 are left out')
  })

  test('no result leaves the page open', async () => {
    await fc.assert(
      fc.asyncProperty(anyChart, async (chart) => {
        const html = await toChartHtml({ ...chart, language: 'en', theme: 'light' })
        const body = html.slice(html.indexOf('<body>'), html.indexOf('</html>'))
        const names = new Set(readXml(body.trim()).elements.map(({ name }) => name))
        expect(names.has('script') || names.has('img') || names.has('foreignObject')).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})
