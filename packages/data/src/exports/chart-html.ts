import type { DataValue } from '@dataagent/schema'
import { cleanText, isNumeric, wordsOf } from '../charts/index.ts'
import { type ChartSvgInput, toChartSvg } from './chart-svg.ts'
import { escapeXml } from './escape-xml.ts'

/** Rows that the table of a page shows: a page is for reading, an export for all of them. */
const mostRows = 1_000

/** A page that stands alone: the chart and the rows it is of, without script or request. */
export async function toChartHtml(input: ChartSvgInput): Promise<string> {
  const { spec, columns, rows, language, theme } = input
  const svg = await toChartSvg(input)
  const words = wordsOf(language)
  const title = escapeXml(cleanText(spec.title ?? spec.y.join(words.and)))
  const shown = rows.slice(0, mostRows)
  const left = rows.length - shown.length
  const count = new Intl.NumberFormat(words.locale).format(left)
  return `<!doctype html>
<html lang="${words.locale}" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<main>
<figure>${svg}</figure>
<table>
<thead><tr>${columns.map(({ name, kind }) => `<th scope="col"${isNumeric(kind) ? ' class="number"' : ''}>${escapeXml(cleanText(name))}</th>`).join('')}</tr></thead>
<tbody>
${shown.map((row) => `<tr>${columns.map(({ kind }, i) => cellOf(row[i] ?? null, isNumeric(kind))).join('')}</tr>`).join('\n')}
</tbody>
</table>
${left > 0 ? `<p>${escapeXml(words.left_out(count))}</p>` : ''}
</main>
</body>
</html>
`

  function cellOf(value: DataValue, numeric: boolean): string {
    if (value === null) return `<td class="null">${words.null_label}</td>`
    const text = escapeXml(cleanText(String(value)))
    return numeric ? `<td class="number">${text}</td>` : `<td>${text}</td>`
  }
}

const styles = `
:root { font: 14px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif }
:root { color: #1f2933; background: #fff }
:root[data-theme="dark"] { color: #e6eaee; background: #14181d }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
figure { margin: 0 0 1rem }
svg { max-width: 100%; height: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .25rem .5rem; border-bottom: 1px solid #8886; text-align: left }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums }
td.null { opacity: .6 }
`
