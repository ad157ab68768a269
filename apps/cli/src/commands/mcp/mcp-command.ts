import type { App } from '../../app/index.ts'
import type { Completion } from '../../input/index.ts'
import type { McpShell } from '../../mcp/index.ts'
import type { Command } from '../contract.ts'
import { about, actionWords } from './words.ts'

const named = new Set(['test', 'login', 'enable', 'disable', 'remove'])

/** Those that wait for others. */
const waiting = new Set(['test', 'login'])

export const mcpCommand: Command = {
  name: 'mcp',
  usage: `[${Object.keys(actionWords).join('|')}]`,
  about,
  group: 'tools',
  whileRunning: true,
  waits: (args) => waiting.has(actionOf(args)),

  async complete(words, app, signal) {
    const [, action = '', typed] = /^\s*(\S*)(?:\s+(.*))?$/s.exec(words) ?? []
    if (typed === undefined) return completeAction(action, app)
    return named.has(action) ? completeName(typed, app, signal) : []
  },

  async run(args, app) {
    const { runMcpLine } = await import('../../mcp/index.ts')
    await runMcpLine(args, await shellOf(app))
  },
}

const actionOf = (args: string) => args.trim().split(/\s/, 1)[0] ?? ''

async function shellOf(app: App): Promise<McpShell> {
  const { openPage } = await import('../../mcp/index.ts')
  const { theme, lang, assistant_id, folder, mcpFiles, machine, signal } = app
  const { trust, ...files } = mcpFiles
  return {
    ...{ theme, lang, signal, trust, called: '/mcp' },
    // A line of a pipe agrees to nothing.
    ask: machine.isAttended ? app : undefined,
    link: await app.link(),
    place: { assistant_id, folder, ...files },
    write: (line) => app.say(line),
    reload: () => app.reloadServers(),
    openPage: (url) => openPage(url, files.env),
  }
}

function completeAction(typed: string, { lang }: App): Completion[] {
  return Object.entries(actionWords)
    .filter(([name]) => name.startsWith(typed))
    .map(([name, text]) => ({ value: name, label: name, about: text[lang] }))
}

async function completeName(typed: string, app: App, signal: AbortSignal): Promise<Completion[]> {
  const { client, user_id } = await app.link()
  const [own, shared] = await Promise.all([
    client.userServers.list(user_id, { signal }),
    client.servers.list({ signal }),
  ])
  const names = new Set([...own.servers, ...shared.servers].map(({ name }) => name))
  return [...names]
    .filter((name) => name.toLowerCase().startsWith(typed.replace(/^"/, '').toLowerCase()))
    .map((name) => ({ value: /\s/.test(name) ? `"${name}"` : name, label: name }))
}
