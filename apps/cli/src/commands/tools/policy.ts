import { isClientError } from '@dataagent/client'
import type { ToolExplanation } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { toIndented } from '../view/rows.ts'
import { listTools } from './tools.ts'
import {
  chooseTool,
  decidedBy,
  noSuchTool,
  noTools,
  oncePerSession,
  reasonText,
  stepText,
  verdictNames,
  verdictOf,
} from './words.ts'

/** What decides about calls of a tool: each list and rule that was looked at. */
export async function runPolicy(wanted: string, app: App): Promise<void> {
  const tool = wanted === '' ? await choose(app) : wanted
  if (tool === undefined) return
  const explanation = await explain(tool, app)
  if (explanation === undefined) {
    return app.tell('warn', noSuchTool(toPlainLine(wanted, 40))[app.lang])
  }
  show(tool, explanation, app)
}

async function choose(app: App): Promise<string | undefined> {
  const tools = await listTools(app)
  if (tools.length === 0) {
    app.tell('info', noTools[app.lang])
    return undefined
  }
  const items = tools.map(({ sdk_name, verdict }) => ({
    value: sdk_name,
    label: toPlainLine(sdk_name, 40),
    about: verdictNames[verdict][app.lang],
  }))
  return app.choose(chooseTool[app.lang], items)
}

async function explain(tool: string, app: App): Promise<ToolExplanation | undefined> {
  const { client } = await app.link()
  const assistant_id = app.session?.assistant_id ?? app.assistant_id
  try {
    return await client.tools.explain({ tool, assistant_id }, { signal: app.signal })
  } catch (error) {
    if (isClientError(error, 'not_found') || isClientError(error, 'tool_not_allowed')) {
      return undefined
    }
    throw error
  }
}

function show(tool: string, { verdict, steps }: ToolExplanation, app: App): void {
  const { theme, lang, screen } = app
  const { status, by } = verdict
  const paint = { allow: theme.good, ask: theme.warn, deny: theme.bad }[status]
  const once = status === 'ask' && verdict.once_per_session ? ` · ${oncePerSession[lang]}` : ''
  const isTold = steps.some(({ decided }) => decided)
  const lines = steps.flatMap((step) => {
    const sign = step.decided ? theme.accent(theme.glyphs.prompt) : ' '
    const decides = step.decided ? ` (${decidedBy[lang]})` : ''
    return toIndented(`  ${sign} `, toPlainLine(stepText(step)[lang]) + decides, screen.columns)
  })
  app.say(
    [
      paint(verdictOf(toPlainLine(tool, 40), status)[lang]) + theme.dim(once),
      ...(isTold ? [] : [theme.dim(toPlainLine(reasonText(by)[lang]))]),
      ...lines,
    ].join('\n'),
  )
}
