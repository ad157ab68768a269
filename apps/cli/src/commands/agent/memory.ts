import type { FactList } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { formatAge } from '../view/format.ts'
import { toIndented } from '../view/rows.ts'
import { leftAsIs, usageOf } from '../words.ts'
import {
  allForgotten,
  clearAll,
  damagedFacts,
  factBy,
  factsOf,
  forgotten,
  noFacts,
  noSuchFact,
} from './words.ts'

/** What the agent of the session remembers of the user: shown, or forgotten [D34.4]. */
export async function runMemory(args: string, app: App): Promise<void> {
  const [verb = 'show', ...rest] = args.split(/\s+/).filter((word) => word !== '')
  if (!['show', 'forget', 'clear'].includes(verb)) {
    return app.tell('warn', usageOf('/memory [show|forget N|clear]')[app.lang])
  }
  const { client } = await app.link()
  const assistant_id = app.session?.assistant_id ?? app.assistant_id
  const list = await client.memory.list({ assistant_id }, { signal: app.signal })
  if (list.facts.length === 0 && list.damaged === 0) return app.tell('info', noFacts[app.lang])
  const memory = { app, assistant_id, list }
  if (verb === 'forget') return forget(memory, rest.join(' '))
  return verb === 'clear' ? clear(memory) : show(memory)
}

interface Memory {
  app: App
  assistant_id: string
  list: FactList
}

function show({ app, assistant_id, list }: Memory): void {
  const { theme, lang } = app
  const { columns } = app.screen
  const width = `${list.facts.length}`.length
  const toNumber = (at: number) => `${theme.accent(`${at + 1}`.padStart(width))}  `
  const lines = list.facts.flatMap(({ text, by, created_at }, at) => [
    ...toIndented(toNumber(at), toPlainLine(text), columns),
    theme.dim(
      `${' '.repeat(width + 2)}${factBy[by][lang]} · ${formatAge(created_at, Date.now(), lang)}`,
    ),
  ])
  app.say([theme.heading(factsOf(toPlainLine(assistant_id, 40))[lang]), ...lines].join('\n'))
  if (list.damaged > 0) app.tell('warn', damagedFacts(list.damaged)[lang])
}

async function forget({ app, assistant_id, list }: Memory, typed: string): Promise<void> {
  const { lang, signal } = app
  if (typed === '') return app.tell('warn', usageOf('/memory forget N')[lang])
  const fact = /^\d+$/.test(typed) ? list.facts[Number(typed) - 1] : undefined
  if (fact === undefined) return app.tell('warn', noSuchFact(toPlainLine(typed, 20))[lang])
  const { client } = await app.link()
  await client.memory.forget(fact.fact_id, { assistant_id }, { signal })
  app.tell('good', forgotten(toPlainLine(fact.text, 80))[lang])
}

async function clear({ app, assistant_id, list }: Memory): Promise<void> {
  const { lang, signal } = app
  const question = clearAll(list.facts.length, toPlainLine(assistant_id, 40))
  if (!(await app.confirm(question[lang]))) return app.tell('info', leftAsIs[lang])
  const { client } = await app.link()
  await client.memory.clear({ assistant_id }, { signal })
  app.tell('good', allForgotten[lang])
}
