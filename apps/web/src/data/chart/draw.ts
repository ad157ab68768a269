import type { toDrawing } from '@dataagent/data/charts'
import { BarChart, HeatmapChart, LineChart, PieChart, ScatterChart } from 'echarts/charts'
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers'

use([
  ...[BarChart, HeatmapChart, LineChart, PieChart, ScatterChart],
  ...[AriaComponent, GridComponent, LegendComponent, TitleComponent, TooltipComponent],
  ...[VisualMapComponent, CanvasRenderer, SVGRenderer],
])

/** A chart with its size and what is behind it. */
export interface Drawing extends ReturnType<typeof toDrawing> {
  width: number
  background: string
}

/** Gives what ends it. */
export function drawIn(box: HTMLElement, { option, width, height }: Drawing): () => void {
  const chart = init(box, null, { renderer: 'canvas', width, height })
  // The element around it says what it shows.
  chart.setOption({ ...option, aria: { enabled: false } })
  return () => chart.dispose()
}

export function toPng({ option, width, height, background }: Drawing): Blob {
  const chart = init(document.createElement('div'), null, { renderer: 'canvas', width, height })
  chart.setOption({ ...option, tooltip: { show: false } })
  const url = chart.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: background })
  chart.dispose()
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (c) => c.charCodeAt(0))
  return new Blob([bytes], { type: 'image/png' })
}

export function toSvg({ option, width, height, background }: Drawing): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ ...option, tooltip: { show: false }, backgroundColor: background })
  const text = chart.renderToSVGString()
  chart.dispose()
  return text
}
