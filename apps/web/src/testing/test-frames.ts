import type { Page } from 'playwright-core'

/** How well a page kept up: what a person sees of it are the pauses between its frames. */
export interface Frames {
  frames: number
  /** The longest pause between two frames. */
  longestMs: number
  /** All that went beyond the 50 ms after which a task is called long. */
  blockedMs: number
  tookMs: number
}

/** Watches the frames of the page while something happens. */
export async function framesDuring(page: Page, happens: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(() => {
    const seen = { frames: 0, longestMs: 0, blockedMs: 0, since: performance.now(), isOver: false }
    Object.assign(window, { seenFrames: seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.blockedMs += duration - 50
    }).observe({ type: 'longtask' })
    let last = performance.now()
    requestAnimationFrame(function next(now) {
      seen.frames += 1
      seen.longestMs = Math.max(seen.longestMs, now - last)
      last = now
      if (!seen.isOver) requestAnimationFrame(next)
    })
  })
  await happens()
  // Two frames more: what was last done has been painted.
  return page.evaluate(async () => {
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve))
    await next()
    await next()
    const { seenFrames: seen } = window as unknown as { seenFrames: Record<string, number> }
    const { frames = 0, longestMs = 0, blockedMs = 0, since = 0 } = seen
    Object.assign(seen, { isOver: true })
    const round = Math.round
    return {
      ...{ frames, longestMs: round(longestMs), blockedMs: round(blockedMs) },
      tookMs: round(performance.now() - since),
    }
  })
}
