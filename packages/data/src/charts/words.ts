export type ChartLanguage = 'en' | 'zh'

/** What charts say of themselves, beside what the data says. */
export interface ChartWords {
  locale: string
  null_label: string
  empty_label: string
  yes: string
  no: string
  no_rows: string
  unfit: string
  others(count: string): string
  left_out(count: string): string
  series_left_out(count: string): string
  repeated(count: string): string
  unplaced(count: string): string
  negative(count: string): string
  sampled(drawn: string, all: string): string
  first_of(count: string): string
  described(chart: string, measure: string, by: string | undefined): string
  highest(label: string, value: string): string
  lowest(label: string, value: string): string
  types: Record<'number' | 'bar' | 'line' | 'area' | 'pie' | 'scatter' | 'heatmap', string>
  and: string
}

const en: ChartWords = {
  locale: 'en-US',
  null_label: '(null)',
  empty_label: '(empty)',
  yes: 'true',
  no: 'false',
  no_rows: 'The result has no rows',
  unfit: 'This chart does not fit its result',
  others: (count) => `Other ${count}`,
  left_out: (count) => `the other ${count} are left out`,
  series_left_out: (count) => `${count} more series are left out`,
  repeated: (count) => `${count} rows repeat a category and are left out`,
  unplaced: (count) => `${count} rows have no place on the axis`,
  negative: (count) => `${count} values below zero are left out`,
  sampled: (drawn, all) => `${drawn} of ${all} points are drawn`,
  first_of: (count) => `the first of ${count} rows`,
  described: (chart, measure, by) =>
    by === undefined ? `${chart} of ${measure}.` : `${chart} of ${measure} by ${by}.`,
  highest: (label, value) => `Highest: ${label}, ${value}.`,
  lowest: (label, value) => `Lowest: ${label}, ${value}.`,
  types: {
    ...{ number: 'Number', bar: 'Bar chart', line: 'Line chart', area: 'Area chart' },
    ...{ pie: 'Pie chart', scatter: 'Scatter plot', heatmap: 'Heat map' },
  },
  and: ', ',
}

const zh: ChartWords = {
  locale: 'zh-CN',
  null_label: '(空值)',
  empty_label: '(空)',
  yes: '是',
  no: '否',
  no_rows: '结果没有数据',
  unfit: '图表与查询结果不符',
  others: (count) => `其他 ${count} 项`,
  left_out: (count) => `其余 ${count} 项未显示`,
  series_left_out: (count) => `另有 ${count} 个系列未显示`,
  repeated: (count) => `${count} 行类别重复，未显示`,
  unplaced: (count) => `${count} 行无法在坐标轴上定位`,
  negative: (count) => `${count} 个负值未显示`,
  sampled: (drawn, all) => `共 ${all} 个点，绘制其中 ${drawn} 个`,
  first_of: (count) => `${count} 行中的第一行`,
  described: (chart, measure, by) =>
    by === undefined ? `${chart}：${measure}。` : `${chart}：按${by}统计的${measure}。`,
  highest: (label, value) => `最高：${label}，${value}。`,
  lowest: (label, value) => `最低：${label}，${value}。`,
  types: {
    ...{ number: '数值', bar: '柱状图', line: '折线图', area: '面积图' },
    ...{ pie: '饼图', scatter: '散点图', heatmap: '热力图' },
  },
  and: '、',
}

/** The words of a language. */
export function wordsOf(language: ChartLanguage): ChartWords {
  return language === 'zh' ? zh : en
}
