import type { Client } from '@dataagent/client'
import type { ToolView } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlain, toPlainLine } from '../../ui/index.ts'
import { formatTokens } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import {
  findingsAre,
  isRequired,
  moreTools,
  noToolFits,
  noTools,
  ownTools,
  parametersAre,
  promptTokens,
  reasonText,
  toolCount,
  verdictNames,
} from './words.ts'

const pageSize = 200
const toolsMax = 2_000
const shownMax = 120

/** Tools by server; with the name of one, all about it. */
export async function runTools(text: string, app: App): Promise<void> {
  const { lang, theme } = app
  const { client } = await app.link()
  const tools = await listTools(app, { q: text })
  if (tools.length === 0) {
    const told = text === '' ? noTools : noToolFits(toPlainLine(text, 40))
    return app.tell('info', told[lang])
  }
  const named = tools.filter(({ sdk_name, name }) => sdk_name === text || name === text)
  const [only] = tools.length === 1 ? tools : named
  if (text !== '' && only && (tools.length === 1 || named.length === 1)) {
    return showOne(client, only, app)
  }
  const lines: string[] = []
  const shown = tools.slice(0, shownMax)
  for (const [server, own] of byServer(shown)) {
    const name = server === '' ? ownTools[lang] : toPlainLine(server, 40)
    lines.push(theme.heading(`${name} (${own.length})`), ...toToolRows(own, app), '')
  }
  const asking = tools.filter(({ verdict }) => verdict === 'ask').length
  lines.push(theme.dim(toolCount(tools.length, asking)[lang]))
  if (tools.length > shownMax) lines.push(theme.dim(moreTools(tools.length - shownMax)[lang]))
  app.say(lines.join('\n'))
}

export async function completeTools(
  words: string,
  app: App,
  signal: AbortSignal,
): Promise<Completion[]> {
  const { client } = await app.link()
  const assistant_id = app.session?.assistant_id ?? app.assistant_id
  const query = { assistant_id, limit: 50, ...(words === '' ? {} : { q: words }) }
  const { tools } = await client.tools.list(query, { signal })
  return tools.map(({ sdk_name, description }) => ({
    value: sdk_name,
    label: toPlainLine(sdk_name, 40),
    about: toPlainLine(description, 60),
  }))
}

/** Those that the session's agent may use. */
export async function listTools(app: App, { q = '' }: { q?: string } = {}): Promise<ToolView[]> {
  const { client } = await app.link()
  const assistant_id = app.session?.assistant_id ?? app.assistant_id
  const asked = { assistant_id, ...(q === '' ? {} : { q: q.slice(0, 200) }) }
  const tools: ToolView[] = []
  while (tools.length < toolsMax) {
    const query = { ...asked, limit: pageSize, offset: tools.length }
    const page = await client.tools.list(query, { signal: app.signal })
    tools.push(...page.tools)
    if (page.tools.length === 0 || tools.length >= page.total) break
  }
  return tools
}

/** By the name before the dot, which is the server's; our own have none. */
function byServer(tools: readonly ToolView[]): [string, ToolView[]][] {
  return [...Map.groupBy(tools, serverOf)].sort(([a], [b]) => (a < b ? -1 : 1))
}

function serverOf({ sdk_name, name }: ToolView): string {
  return sdk_name.endsWith(`.${name}`) ? sdk_name.slice(0, -name.length - 1) : ''
}

function toToolRows(tools: readonly ToolView[], app: App): string[] {
  const { theme, screen } = app
  const { done, waiting } = theme.glyphs
  const rows = tools.map(({ name, verdict, description, findings }) => [
    verdict === 'ask' ? theme.warn(waiting) : theme.good(done),
    toPlainLine(name, 28) + (findings.length > 0 ? theme.warn(' !') : ''),
    description,
  ])
  return toRows(rows, { width: screen.columns })
}

async function showOne(client: Client, tool: ToolView, app: App): Promise<void> {
  const { theme, lang, screen } = app
  const { sdk_name, description, verdict, by, findings } = tool
  const tokens = await readTokens(client, tool, app)
  const parameters = toParameters(tool, app)
  app.say(
    [
      `${theme.heading(toPlainLine(sdk_name))}  ${theme.dim(verdictNames[verdict][lang])}`,
      toPlain(description).trim(),
      theme.dim(toPlainLine(reasonText(by)[lang])),
      ...(tokens === undefined ? [] : [theme.dim(promptTokens(formatTokens(tokens))[lang])]),
      ...(parameters.length === 0 ? [] : [parametersAre[lang]]),
      ...toRows(parameters, { width: screen.columns }),
    ].join('\n'),
  )
  for (const { message } of findings) {
    app.tell('warn', `${findingsAre[lang]}: ${toPlainLine(message, 200)}`)
  }
}

/** Only administrators are told what a definition takes of a prompt. */
async function readTokens(client: Client, { server_id, name }: ToolView, { signal }: App) {
  const query = { server_id, q: name.slice(0, 200), limit: pageSize }
  const page = await client.tools.registry(query, { signal }).catch(() => undefined)
  return page?.tools.find((tool) => tool.name === name)?.tokens
}

function toParameters({ inputSchema }: ToolView, { theme, lang }: App): string[][] {
  const { properties, required } = inputSchema
  if (typeof properties !== 'object' || properties === null) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).map(([name, schema]) => {
    const { type, description } = (schema ?? {}) as Record<string, unknown>
    return [
      theme.accent(toPlainLine(name, 24)) + (needed.includes(name) ? theme.warn('*') : ''),
      theme.dim(typeof type === 'string' ? toPlainLine(type, 12) : ''),
      [needed.includes(name) ? isRequired[lang] : '', String(description ?? '')]
        .filter((part) => part !== '')
        .join(' · '),
    ]
  })
}
