export type ChartTheme = 'light' | 'dark'

export interface ChartColours {
  background: string
  text: string
  faint: string
  line: string
  panel: string
  rest: string
  series: string[]
  /** From little to much. */
  scale: string[]
}

/** Told apart with any kind of colour vision, after Okabe and Ito, and by lightness beside. */
const light: ChartColours = {
  ...{ background: '#ffffff', text: '#1f2933', faint: '#5c6773', line: '#d9dee4' },
  ...{ panel: '#ffffff', rest: '#9aa5b1' },
  series: [
    ...['#0072b2', '#e69f00', '#009e73', '#d55e00'],
    ...['#56b4e9', '#aa4499', '#7a6a00', '#332288'],
  ],
  scale: ['#edf4fb', '#a9cde8', '#5a9fd0', '#1f6fae', '#08375f'],
}

const dark: ChartColours = {
  ...{ background: '#14181d', text: '#e6eaee', faint: '#9aa7b4', line: '#343d47' },
  ...{ panel: '#1f262e', rest: '#6b7785' },
  series: [
    ...['#56b4e9', '#e69f00', '#2fc493', '#ff8a4c'],
    ...['#9ecbff', '#e08bc8', '#f0e442', '#b3a5ff'],
  ],
  scale: ['#17293a', '#1d4f78', '#2f80b8', '#74b5e0', '#d6ebfa'],
}

export function coloursOf(theme: ChartTheme): ChartColours {
  return theme === 'dark' ? dark : light
}

/** Without quotes: server-side SVG puts it into an attribute as it is. */
export const chartFont =
  'system-ui, -apple-system, Segoe UI, PingFang SC, Microsoft YaHei, Noto Sans CJK SC, WenQuanYi Zen Hei, sans-serif'
