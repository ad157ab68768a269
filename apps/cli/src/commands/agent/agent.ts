import type { AgentInfo } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import { chooseAgent, inUse, noSuchAgent, onlyAgent, talkingWith } from './words.ts'

/** Lists agents, or changes to one. */
export async function runAgent(wanted: string, app: App): Promise<void> {
  const agents = await listAgents(app, app.signal)
  const chosen = wanted === '' ? await choose(agents, app) : findAgent(agents, wanted)
  if (chosen === undefined) {
    if (wanted !== '') app.tell('warn', noSuchAgent(toPlainLine(wanted, 40))[app.lang])
    return
  }
  await app.setAgent(chosen.assistant_id)
  app.tell('good', talkingWith(nameOf(chosen))[app.lang])
}

export async function completeAgent(
  words: string,
  app: App,
  signal: AbortSignal,
): Promise<Completion[]> {
  const agents = await listAgents(app, signal)
  return agents
    .filter(({ assistant_id }) => assistant_id.startsWith(words))
    .map((agent) => ({
      value: agent.assistant_id,
      label: agent.assistant_id,
      about: nameOf(agent),
    }))
}

async function listAgents(app: App, signal: AbortSignal): Promise<AgentInfo[]> {
  const { client } = await app.link()
  return (await client.agents.list({ signal })).agents
}

async function choose(agents: readonly AgentInfo[], app: App): Promise<AgentInfo | undefined> {
  const [only] = agents
  if (only && agents.length === 1) {
    app.tell('info', onlyAgent(nameOf(only))[app.lang])
    return undefined
  }
  return app.choose(
    chooseAgent[app.lang],
    agents.map((agent) => ({
      value: agent,
      label: nameOf(agent),
      about: [
        agent.assistant_id === app.assistant_id ? inUse[app.lang] : undefined,
        toPlainLine(agent.model, 30),
        toPlainLine(agent.description, 60),
      ]
        .filter((part) => part)
        .join(' · '),
    })),
  )
}

function findAgent(agents: readonly AgentInfo[], wanted: string): AgentInfo | undefined {
  const low = wanted.toLowerCase()
  const exact = agents.find(({ assistant_id }) => assistant_id === wanted)
  if (exact) return exact
  const fitting = agents.filter(
    ({ assistant_id, name }) =>
      assistant_id.toLowerCase().startsWith(low) || name.toLowerCase().startsWith(low),
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

const nameOf = ({ name }: AgentInfo) => toPlainLine(name, 40)
