import type { EChartsOption } from 'echarts'
import { type Frame, tooltipText } from './frame.ts'
import type { PiePlot } from './plot-pie.ts'
import { cutMiddle } from './text-width.ts'
import { wordsOf } from './words.ts'

export function pieOption({ slices, y_title }: PiePlot, frame: Frame): EChartsOption {
  const { colours, language, top, width } = frame
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const share = new Intl.NumberFormat(wordsOf(language).locale, {
    ...{ style: 'percent', maximumFractionDigits: 1 },
  })
  const shareOf = (value: number) => share.format(total === 0 ? 0 : value / total)
  const most = Math.max(8, Math.min(24, Math.floor(width / 40)))
  return {
    title: frame.title,
    tooltip: {
      ...frame.tooltip,
      trigger: 'item',
      formatter: (param: unknown) => {
        const slice = slices[(param as { dataIndex: number }).dataIndex]
        if (slice === undefined) return ''
        const value = `${tooltipText(slice.text)} (${shareOf(slice.value)})`
        return `${tooltipText(slice.label)}\n${tooltipText(y_title)}  ${value}`
      },
    },
    series: [
      {
        ...{ type: 'pie', radius: ['0%', '68%'], center: ['50%', '50%'], top, bottom: 8 },
        ...{ stillShowZeroSum: false, minShowLabelAngle: 2 },
        label: {
          ...{ color: colours.text, fontSize: 12 },
          formatter: ({ dataIndex }: { dataIndex: number }) => {
            const slice = slices[dataIndex]!
            return `${cutMiddle(slice.label, most)}  ${shareOf(slice.value)}`
          },
        },
        labelLine: { lineStyle: { color: colours.faint } },
        data: slices.map(({ value, rest }, i) => ({
          ...{ name: `c${i}`, value },
          itemStyle: {
            ...{ borderColor: colours.background, borderWidth: 1 },
            color: rest ? colours.rest : colours.series[i % colours.series.length]!,
          },
        })),
      },
    ],
  }
}
