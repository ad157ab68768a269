import type { Client } from '@dataagent/client'
import type { AgentInfo, ModelList } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { toRows } from '../view/rows.ts'
import { leftAsIs } from '../words.ts'
import {
  changeForAll,
  chooseModel,
  defaultChoice,
  inUse,
  isDefault,
  modelChanged,
  modelOf,
  noSuchModel,
  onlyAdministrators,
  onlyModel,
  severalModels,
} from './words.ts'

type Model = ModelList['models'][number]

/**
 * Which model the agent uses. It is the agent's: there is none of a session or a person. Who sets
 * up agents can change it.
 */
export async function runModel(wanted: string, app: App): Promise<void> {
  const { client } = await app.link()
  const { signal, lang } = app
  const [{ models }, { agents }, { role }] = await Promise.all([
    client.models.list({ signal }),
    client.agents.list({ signal }),
    client.identity.me({ signal }),
  ])
  const assistant_id = app.session?.assistant_id ?? app.assistant_id
  const agent = agents.find((one) => one.assistant_id === assistant_id)
  if (agent) app.say(modelOf(toPlainLine(agent.name, 40), toPlainLine(agent.model, 60))[lang])
  const mayChange = agent !== undefined && (role === 'admin' || role === 'platform_admin')
  if (!mayChange) {
    showList(models, agent, app)
    app.tell('info', onlyAdministrators[lang])
    return
  }
  if (wanted === '' && models.length < 2) return app.tell('info', onlyModel[lang])
  const chosen = wanted === '' ? await choose(models, agent, app) : findModel(models, wanted, app)
  if (chosen !== undefined) await change(client, { agent, model: chosen }, app)
}

export async function completeModel(
  words: string,
  app: App,
  signal: AbortSignal,
): Promise<Completion[]> {
  const { client } = await app.link()
  const { models } = await client.models.list({ signal })
  const names = ['default', ...models.map(({ model }) => model)]
  return names
    .filter((name) => name.includes(words))
    .map((name) => ({ value: name, label: toPlainLine(name, 60) }))
}

interface Change {
  agent: AgentInfo
  /** Null is the default. */
  model: string | null
}

async function change(client: Client, { agent, model }: Change, app: App): Promise<void> {
  const { lang, signal } = app
  const name = toPlainLine(agent.name, 40)
  const shown = model === null ? defaultChoice[lang] : toPlainLine(model, 60)
  if (!(await app.confirm(changeForAll(name, shown)[lang]))) {
    return app.tell('info', leftAsIs[lang])
  }
  await client.agents.update(agent.assistant_id, { model }, { signal })
  const { agents } = await client.agents.list({ signal })
  const now = agents.find(({ assistant_id }) => assistant_id === agent.assistant_id)
  app.tell('good', modelChanged(name, toPlainLine(now?.model ?? shown, 60))[lang])
}

function choose(models: readonly Model[], agent: AgentInfo, app: App) {
  const { lang } = app
  return app.choose<string | null>(chooseModel(toPlainLine(agent.name, 40))[lang], [
    { value: null, label: defaultChoice[lang] },
    ...models.map(({ model, name, is_default }) => ({
      value: model,
      label: toPlainLine(model, 50),
      about: [
        model === agent.model ? inUse[lang] : undefined,
        is_default ? isDefault[lang] : undefined,
        name === model ? undefined : toPlainLine(name, 40),
      ]
        .filter((part) => part)
        .join(' · '),
    })),
  ])
}

/** By its whole name, or by a part that only one has. Undefined where none fits, which was told. */
function findModel(models: readonly Model[], wanted: string, app: App): string | null | undefined {
  if (wanted === 'default') return null
  const exact = models.find(({ model }) => model === wanted)
  const fitting = exact ? [exact] : models.filter(({ model }) => model.includes(wanted))
  const [only] = fitting
  if (only && fitting.length === 1) return only.model
  const names = fitting.map(({ model }) => toPlainLine(model, 40)).join(', ')
  const told = only ? severalModels(names) : noSuchModel(toPlainLine(wanted, 40))
  app.tell('warn', told[app.lang])
  return undefined
}

function showList(models: readonly Model[], agent: AgentInfo | undefined, app: App): void {
  const { theme, lang, screen } = app
  const rows = models.map(({ model, is_default }) => [
    model === agent?.model ? theme.good(theme.glyphs.done) : ' ',
    toPlainLine(model, 40),
    is_default ? isDefault[lang] : '',
  ])
  app.say(toRows(rows, { width: screen.columns }).join('\n'))
}
