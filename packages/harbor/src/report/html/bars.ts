import type { Difference, ShareEstimate, TrialCounts } from '@dataagent/schema'
import { html, type Markup } from './markup.ts'

const statuses = ['passed', 'failed', 'error', 'timeout'] as const

/** All trials as one bar, a piece for each status. */
export function statusBar(counts: TrialCounts): Markup {
  const total = Math.max(1, counts.total)
  let from = 0
  const pieces = statuses.map((status) => {
    const share = (counts[status] / total) * 100
    const [x, width] = [toPercents(from), toPercents(share)]
    from += share
    return html`<rect class="f-${status}" x="${x}" width="${width}" height="14"/>`
  })
  return html`<svg height="14" aria-hidden="true">
<rect class="f-track" width="100%" height="14"/>${pieces}</svg>`
}

/** A share as a bar, with its interval as a line across its end. */
export function shareBar({ value, low, high }: ShareEstimate): Markup {
  const [from, to] = [toPercents(low * 100), toPercents(high * 100)]
  const end = (x: string) => html`<line class="s-ink" x1="${x}" x2="${x}" y1="4" y2="12"/>`
  return html`<svg height="16" stroke-width="1.5" aria-hidden="true">
<rect class="f-track" width="100%" y="3" height="10" rx="5"/>
<rect class="f-passed" width="${toPercents(value * 100)}" y="3" height="10" rx="5"/>
<line class="s-ink" x1="${from}" x2="${to}" y1="8" y2="8"/>${end(from)}${end(to)}</svg>`
}

/** A difference and its interval around 0, which is in the middle. */
export function differenceBar({ difference, low, high, verdict }: Difference): Markup | string {
  if (difference === null || low === null || high === null) return ''
  const reach = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference)) * 1.08 || 1
  const place = (value: number) => toPercents(50 + (50 * value) / reach)
  return html`<svg height="18" stroke-width="3" aria-hidden="true">
<line class="grid" x1="0" x2="100%" y1="9" y2="9"/>
<line class="axis" x1="50%" x2="50%" y1="0" y2="18"/>
<line class="s-${verdict}" x1="${place(low)}" x2="${place(high)}" y1="9" y2="9"/>
<circle class="f-${verdict}" cx="${place(difference)}" cy="9" r="5"/></svg>`
}

function toPercents(value: number): string {
  return `${value.toFixed(2)}%`
}
