import type { Glyphs, Paint, Theme, ThemeName } from './contract.ts'

export interface ThemeOptions {
  /** What a person chose; else by the terminal's background. */
  name?: ThemeName | undefined
  env: Readonly<Record<string, string | undefined>>
  isTty: boolean
}

/** How many colours: none at all, the 16 of the terminal's own palette, 256, or all. */
type Depth = 'none' | '16' | '256' | 'true'

type ColorName = 'accent' | 'dim' | 'good' | 'bad' | 'warn' | 'code' | 'heading' | 'link'
/** As `r;g;b`, as number of the 256, as SGR code. */
type Color = readonly [rgb: string, of256: number, of16: number]

const palettes: Record<'dark' | 'light', Record<ColorName, Color>> = {
  dark: {
    accent: ['122;162;247', 111, 94],
    dim: ['138;143;152', 245, 90],
    good: ['115;201;145', 114, 32],
    bad: ['240;113;120', 203, 31],
    warn: ['230;180;80', 179, 33],
    code: ['127;209;213', 116, 36],
    heading: ['122;162;247', 111, 94],
    link: ['130;170;255', 111, 34],
  },
  light: {
    accent: ['38;84;184', 26, 34],
    dim: ['106;112;122', 243, 90],
    good: ['17;119;51', 28, 32],
    bad: ['185;28;28', 124, 31],
    warn: ['146;84;0', 130, 33],
    code: ['11;107;119', 24, 36],
    heading: ['38;84;184', 26, 34],
    link: ['29;78;216', 26, 34],
  },
}

/** Colours where the terminal has them and nobody forbids them; signs that its locale can show. */
export function createTheme({ name, env, isTty }: ThemeOptions): Theme {
  const depth = depthOf(env, isTty)
  const isAscii = !hasUtf8(env)
  const signs = { isAscii, glyphs: isAscii ? asciiGlyphs : unicodeGlyphs }
  if (depth === 'none') return { name: 'mono', hasColor: false, ...withoutEscapes, ...signs }
  const chosen = name ?? (hasLightBackground(env) ? 'light' : 'dark')
  if (chosen === 'mono') return { name: 'mono', hasColor: false, ...withoutColors, ...signs }
  return { name: chosen, hasColor: true, ...toPaints(palettes[chosen], depth), ...signs }
}

function depthOf(env: ThemeOptions['env'], isTty: boolean): Depth {
  const { NO_COLOR, FORCE_COLOR, TERM = '', COLORTERM = '' } = env
  if (NO_COLOR) return 'none'
  if (FORCE_COLOR !== undefined) return forcedDepth(FORCE_COLOR)
  if (!isTty || TERM === 'dumb') return 'none'
  if (/^(truecolor|24bit)$/i.test(COLORTERM)) return 'true'
  if (/-(direct|truecolor)$/.test(TERM)) return 'true'
  return /256/.test(TERM) ? '256' : '16'
}

function forcedDepth(value: string): Depth {
  if (value === '0' || value === 'false') return 'none'
  if (value === '3') return 'true'
  return value === '2' ? '256' : '16'
}

/** By the variables that POSIX has for it, the first set one; a machine that says nothing can. */
function hasUtf8({ DATAAGENT_ASCII, LC_ALL, LC_CTYPE, LANG }: ThemeOptions['env']): boolean {
  if (DATAAGENT_ASCII === '1') return false
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value)
  return locale === undefined || /utf-?8/i.test(locale)
}

/** Some terminals tell their colours as `foreground;background` of the 16. */
function hasLightBackground({ COLORFGBG }: ThemeOptions['env']): boolean {
  const background = Number(COLORFGBG?.split(';').at(-1) || Number.NaN)
  return background === 7 || (background >= 9 && background <= 15)
}

type Paints = Omit<Theme, 'name' | 'hasColor' | 'isAscii' | 'glyphs'>

const strong = sgr('1', '22')
const emphasis = sgr('3', '23')
const underline = sgr('4', '24')
const strike = sgr('9', '29')
const faint = sgr('2', '22')
const same: Paint = (text) => text

const withoutEscapes: Paints = {
  ...{ accent: same, dim: same, strong: same, emphasis: same, strike: same, underline: same },
  ...{ good: same, bad: same, warn: same, code: same, heading: same, link: same },
  ...{ added: same, removed: same },
}

const withoutColors: Paints = {
  ...{ accent: strong, dim: faint, strong, emphasis, strike, underline },
  ...{ good: same, bad: strong, warn: strong, code: same, heading: strong, link: underline },
  ...{ added: strong, removed: faint },
}

function toPaints(palette: Record<ColorName, Color>, depth: Depth): Paints {
  const paint = (name: ColorName) => sgr(toCode(palette[name], depth), '39')
  const heading = paint('heading')
  const [good, bad] = [paint('good'), paint('bad')]
  return {
    ...{ accent: paint('accent'), dim: paint('dim'), strong, emphasis, strike, underline },
    ...{ good, bad, warn: paint('warn'), code: paint('code'), link: paint('link') },
    ...{ heading: (text) => heading(strong(text)), added: good, removed: bad },
  }
}

function toCode([rgb, of256, of16]: Color, depth: Depth): string {
  if (depth === 'true') return `38;2;${rgb}`
  return depth === '256' ? `38;5;${of256}` : `${of16}`
}

/** What ends inside, as one style within another, begins again behind it. */
function sgr(on: string, off: string): Paint {
  const [open, close] = [`\u001b[${on}m`, `\u001b[${off}m`]
  return (text) => {
    if (text === '') return ''
    const inner = text.includes(close) ? text.replaceAll(close, close + open) : text
    return open + inner + close
  }
}

const unicodeGlyphs: Glyphs = {
  ...{ prompt: '❯', bullet: '•', done: '✓', failed: '✗', stopped: '⊘', waiting: '?' },
  ...{ pending: '☐', line: '─', ellipsis: '…' },
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  blocks: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
}

const asciiGlyphs: Glyphs = {
  ...{ prompt: '>', bullet: '-', done: '+', failed: 'x', stopped: '#', waiting: '?' },
  ...{ pending: 'o', line: '-', ellipsis: '...' },
  spinner: ['|', '/', '-', '\\'],
  blocks: ['_', '.', ':', '-', '=', '+', '#', '@'],
}
