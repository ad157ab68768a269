import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { formatShare, formatTokens } from '../view/format.ts'
import { toBar, toRows } from '../view/rows.ts'
import { noSession } from '../words.ts'
import { contextOf, contextParts, roomIsShort } from './words.ts'

const barCells = 20
/** From here on it is time to make room. */
const shortFrom = 0.6

/** What the next call of the model would read, part by part. */
export async function runContext(app: App): Promise<void> {
  const { session, lang, theme, signal } = app
  if (session === undefined) return app.tell('info', noSession[lang])
  const { client } = await app.link()
  const weight = await client.sessions.context(session.session_id, { signal })
  const { system, tools, history, window, model } = weight
  const used = system + tools + history
  const parts = { system, tools, history, free: Math.max(0, window - used) }
  const names = Object.keys(parts) as (keyof typeof parts)[]
  const rows = names.map((name) => {
    const share = window === 0 ? 0 : parts[name] / window
    const tokens = formatTokens(parts[name])
    const bar = name === 'free' ? '' : toBar(share, barCells, theme)
    return [contextParts[name][lang], tokens, formatShare(share), bar]
  })
  const shown = contextOf(toPlainLine(model, 30), formatTokens(used), formatTokens(window))
  app.say([theme.heading(shown[lang]), ...toContextRows(rows, app)].join('\n'))
  if (window > 0 && used / window >= shortFrom) app.tell('warn', roomIsShort[lang])
}

/** The bar is painted, so it is no last column that might be cut. */
function toContextRows(rows: readonly (readonly string[])[], app: App): string[] {
  const lines = toRows(
    rows.map((row) => row.slice(0, 3)),
    { width: app.screen.columns, right: [1, 2] },
  )
  return lines.map((line, at) => `${line}  ${rows[at]?.[3] ?? ''}`.trimEnd())
}
