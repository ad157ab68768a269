import type { ServerInfo, ServerUpdateInput } from '@dataagent/schema'
import type { UntrustedServer } from '../contract.ts'
import { recordVerdict } from '../load-servers.ts'
import { userFileOf } from '../place.ts'
import { readServers } from '../read-servers.ts'
import { removeServer, setEnabled, type Written } from '../write-servers.ts'
import { askAgreement } from './ask-agreement.ts'
import type { Action, McpShell } from './contract.ts'
import { findRow } from './find-row.ts'
import type { ServerRow } from './rows.ts'
import { tell } from './tell.ts'
import { words } from './words.ts'

type Change = 'enable' | 'disable' | 'remove'

export const enable: Action = ({ words: [name] }, shell) => change('enable', name, shell)
export const disable: Action = ({ words: [name] }, shell) => change('disable', name, shell)
export const remove: Action = ({ words: [name] }, shell) => change('remove', name, shell)

async function change(kind: Change, name: string | undefined, shell: McpShell): Promise<number> {
  const row = await findRow(kind, name, shell)
  if (!row) return 2
  if (row.scope === 'shared') {
    tell(shell, 'bad', words.isShared(row.name)[shell.lang])
    return 1
  }
  const isDone = await (row.scope === 'own' ? atPlatform : inFile)(kind, row, shell)
  if (!isDone) return 1
  tell(shell, 'good', words.changed[kind](row.name)[shell.lang])
  return 0
}

async function atPlatform(kind: Change, { name }: ServerRow, { link, signal }: McpShell) {
  const { userServers } = link.client
  if (kind === 'remove') {
    await userServers.delete(link.user_id, name, { signal })
    return true
  }
  const info = await userServers.get(link.user_id, name, { signal })
  const change = { ...toUpdate(info), disabled: kind === 'disable' }
  await userServers.update(link.user_id, name, change, { signal })
  return true
}

/** The configuration alone; secrets go back as the views that they came as. */
function toUpdate(info: ServerInfo): ServerUpdateInput {
  const { server_id: _id, scope: _scope, user_id: _user, status: _status, ...rest } = info
  const { status_message: _message, status_fault: _fault, tool_count: _count, ...more } = rest
  const { sample: _sample, created_at: _created, updated_at: _updated, ...config } = more
  return config
}

/** The user's own file is edited; what a project's says is agreed to or refused instead. */
async function inFile(kind: Change, row: ServerRow, shell: McpShell): Promise<boolean> {
  const { place, trust, lang } = shell
  const path = userFileOf(place)
  const { servers } = await readServers({ ...place, trust, lang })
  const found = servers.find(({ name, source }) => name === row.name && source.path === row.source)
  const hash = found && 'hash' in found ? found.hash : undefined
  if (found?.status === 'untrusted' && kind === 'enable') return agreeTo(found, shell)
  if (hash !== undefined && kind === 'disable') {
    await recordVerdict({ name: row.name, hash }, false, { trust, folder: place.folder })
    await shell.reload()
    return true
  }
  if (path === undefined || row.source !== path) {
    return refuse(words.inOtherFile(row.name, row.source ?? '')[lang], shell)
  }
  const written = await edit(kind, path, row.name)
  if (written.status !== 'written') {
    return refuse(words.unknownServer(row.name, [])[lang], shell)
  }
  if (written.lostComments) tell(shell, 'warn', words.keptOld(path)[lang])
  await shell.reload()
  return true
}

function edit(kind: Change, path: string, name: string): Promise<Written> {
  return kind === 'remove' ? removeServer(path, name) : setEnabled(path, name, kind === 'enable')
}

async function agreeTo(server: UntrustedServer, shell: McpShell): Promise<boolean> {
  const { ask, lang, trust, place } = shell
  if (!ask) return refuse(words.nobodyToAsk[lang], shell)
  const isAgreed = await askAgreement(server, { ...shell, ask })
  await recordVerdict(server, isAgreed, { trust, folder: place.folder })
  if (!isAgreed) return refuse(words.notAgreed(server.name)[lang], shell)
  await shell.reload()
  return true
}

function refuse(why: string, shell: McpShell): false {
  tell(shell, 'bad', why)
  return false
}
