import type { Lang } from '../words/index.ts'
import type { Status, Theme } from './contract.ts'
import { dotOf, say } from './look.ts'
import { toPlainLine } from './sanitize.ts'
import { cut, widthOf } from './width.ts'
import { words } from './words.ts'

interface Segment {
  text: string
  /** What has a higher number is left out first where there is no room. */
  rank: number
}

const separatorWidth = 3

/** The line at the bottom; never wider than told. */
export function renderStatus(
  status: Status,
  { theme, lang, width }: { theme: Theme; lang: Lang; width: number },
): string {
  const segments = toSegments(status, theme, lang).filter(({ text }) => text !== '')
  const kept = keepFitting(segments, width)
  return cut(
    kept.map(({ text }) => text).join(theme.dim(dotOf(theme))),
    width,
    theme.glyphs.ellipsis,
  )
}

function keepFitting(segments: readonly Segment[], width: number): readonly Segment[] {
  let kept = segments
  const widthOfAll = () =>
    kept.reduce((sum, { text }) => sum + widthOf(text) + separatorWidth, -separatorWidth)
  while (kept.length > 1 && widthOfAll() > width) {
    const least = Math.max(...kept.map(({ rank }) => rank))
    kept = kept.filter(({ rank }) => rank !== least)
  }
  return kept
}

function toSegments(status: Status, theme: Theme, lang: Lang): Segment[] {
  const { dim } = theme
  const look = { theme, lang }
  const { agent, model, context, queued, link, isRunning } = status
  const name = (text: string) => dim(toPlainLine(text, 40, theme.glyphs.ellipsis))
  const hint = isRunning ? words.stopHint : words.keysHint
  return [
    { text: toApproval(status, theme, lang), rank: 0 },
    { text: toLink(link, theme, lang), rank: 1 },
    { text: queued > 0 ? theme.accent(say(look, words.queued(queued))) : '', rank: 3 },
    { text: name(agent), rank: 5 },
    { text: model === undefined ? '' : name(model), rank: 6 },
    { text: context === undefined ? '' : toContext(context, theme, lang), rank: 7 },
    { text: dim(toCost(status.cost, lang)), rank: 8 },
    { text: toServers(status.mcp, theme), rank: (status.mcp?.attention ?? 0) > 0 ? 4 : 9 },
    { text: dim(say(look, hint)), rank: isRunning ? 2 : 10 },
  ]
}

/** That everything is approved by itself must not be overlooked, with colours or without. */
function toApproval({ approval }: Status, theme: Theme, lang: Lang): string {
  const text = words.approval[approval][lang]
  if (approval === 'ask') return theme.dim(text)
  return theme.warn(theme.strong(theme.isAscii ? `!! ${text} !!` : `▲ ${text}`))
}

function toLink(link: Status['link'], theme: Theme, lang: Lang): string {
  const text = words.link[link][lang]
  if (link === 'live') return ''
  return link === 'lost' ? theme.bad(text) : theme.warn(text + theme.glyphs.ellipsis)
}

function toContext(context: number, theme: Theme, lang: Lang): string {
  const text = `${words.context[lang]} ${Math.round(Math.max(0, context) * 100)}%`
  if (context >= 0.95) return theme.bad(text)
  return context >= 0.8 ? theme.warn(text) : theme.dim(text)
}

/** Without a currency: the price list has none. */
function toCost(cost: Status['cost'], lang: Lang): string {
  if (cost === undefined) return ''
  return `${words.cost[lang]} ${cost.toFixed(cost > 0 && cost < 0.01 ? 4 : 2)}`
}

function toServers(mcp: Status['mcp'], theme: Theme): string {
  if (mcp === undefined || mcp.total === 0) return ''
  const ok = theme.isAscii ? `${mcp.ok} ok` : `${mcp.ok}${theme.glyphs.done}`
  const attention = mcp.attention > 0 ? ` ${theme.warn(`${mcp.attention}!`)}` : ''
  const others = mcp.total - mcp.ok - mcp.attention
  const coming = others > 0 ? theme.dim(` ${others}${theme.glyphs.ellipsis}`) : ''
  return theme.dim(`mcp ${ok}`) + attention + coming
}
