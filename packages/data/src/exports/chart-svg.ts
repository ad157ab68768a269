import { createHash } from 'node:crypto'
import { type ChartOptionInput, coloursOf, toDrawing } from '../charts/index.ts'
import { escapeXml } from './escape-xml.ts'

export interface ChartSvgInput extends ChartOptionInput {
  /** In pixels; default what suits the chart. */
  height?: number
}

/**
 * A chart as an SVG document of a fixed size: the same chart gives the same bytes. It holds shapes
 * and text only, and says in words what it shows.
 */
export async function toChartSvg(input: ChartSvgInput): Promise<string> {
  const echarts = await loadEcharts()
  const drawing = toDrawing(input)
  const width = input.width ?? 720
  const height = input.height ?? drawing.height
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    const { tooltip: _, ...option } = drawing.option
    chart.setOption({ ...option, backgroundColor: coloursOf(input.theme).background })
    // ECharts cuts long labels without looking whether it cuts a character in two.
    const svg = chart.renderToSVGString().toWellFormed()
    return withWords(withoutMarks(svg), drawing.description)
  } finally {
    chart.dispose()
  }
}

/** Loaded when the first chart is drawn: it is large, and most processes draw none. */
async function loadEcharts() {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ])
  core.use([
    ...[charts.BarChart, charts.LineChart, charts.PieChart],
    ...[charts.ScatterChart, charts.HeatmapChart],
    ...[components.GridComponent, components.LegendComponent, components.TitleComponent],
    ...[components.VisualMapComponent, components.AriaComponent],
    renderers.SVGRenderer,
  ])
  return core
}

/**
 * ECharts marks shapes for its own script and for hovering, and names clip paths by a number that
 * counts up in a process. Ours come from the chart: the same twice, and no two charts of a page
 * share one.
 */
function withoutMarks(svg: string): string {
  // Quotes in data are entities, so what stands in quotes is an attribute.
  const plain = svg
    .replace(/ (?:ecmeta_[a-z_]+|class)="[^"]*"/g, '')
    .replace(/<style >\s*<!\[CDATA\[.*?<\/style>/gs, '')
  const mark = /( id="|"url\(#)zr\d+-([\w-]+)/g
  const bare = plain.replace(mark, '$1$2')
  const own = createHash('sha256').update(bare).digest('hex').slice(0, 8)
  return plain.replace(mark, `$1c${own}-$2`)
}

function withWords(svg: string, description: string): string {
  const open = svg.indexOf('>') + 1
  const head = svg.slice(0, open - 1)
  const text = escapeXml(description)
  return `${head} role="img" aria-label="${text}"><desc>${text}</desc>${svg.slice(open)}`
}
