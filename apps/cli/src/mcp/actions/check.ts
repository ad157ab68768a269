import type { ConnectionTestResult } from '@dataagent/schema'
import { toPlainLine } from '../../ui/index.ts'
import { readServers } from '../read-servers.ts'
import type { Action, McpShell } from './contract.ts'
import { findRow } from './find-row.ts'
import type { ServerRow } from './rows.ts'
import { tell } from './tell.ts'
import { stepWords, words } from './words.ts'

const logLines = 10
const lineMax = 300

/** Connects to a server step by step, beside its connection, and tells how far it came. */
export const check: Action = async ({ words: [name] }, shell) => {
  const { lang, theme } = shell
  const row = await findRow('test', name, shell)
  if (!row) return 2
  shell.write(theme.dim(words.testing(toPlainLine(row.name))[lang]))
  const result = await testRow(row, shell)
  if (!result) {
    const why = row.problem ?? row.advice?.[lang]
    tell(shell, 'bad', [words.testUnusable(row.name)[lang], why].filter(Boolean).join(': '))
    return 1
  }
  for (const step of result.steps) showStep(step, shell)
  if (result.ok) {
    const version = result.protocol?.version ?? ''
    const tools = words.tools(result.tool_count ?? 0)[lang]
    tell(shell, 'good', words.testOk(tools, version)[lang])
    return 0
  }
  showLog(result, shell)
  if (row.advice) tell(shell, 'info', row.advice[lang])
  return 1
}

/** As the platform has it; else as the file has it. Undefined where it may not be started. */
async function testRow(row: ServerRow, shell: McpShell): Promise<ConnectionTestResult | undefined> {
  const { link, signal, place, trust, lang } = shell
  if (row.server_id !== undefined) return link.client.servers.testStored(row.server_id, { signal })
  const { servers } = await readServers({ ...place, trust, lang })
  const found = servers.find(({ name, status }) => name === row.name && status === 'ok')
  if (found?.status !== 'ok') return undefined
  return link.client.servers.test({ scope: 'user', config: found.config }, { signal })
}

function showStep(
  { name, status, ms, message }: ConnectionTestResult['steps'][number],
  { theme, write, lang }: McpShell,
): void {
  const { glyphs, good, bad, dim } = theme
  const label = stepWords[name]?.[lang] ?? name
  if (status === 'skipped') {
    write(dim(`${glyphs.pending} ${label}`))
    return
  }
  const sign = status === 'ok' ? good(glyphs.done) : bad(glyphs.failed)
  write(`${sign} ${label} ${dim(`${Math.round(ms)} ms`)}`)
  if (message !== undefined) write(`  ${toPlainLine(message, lineMax)}`)
}

function showLog({ log = [] }: ConnectionTestResult, { theme, write, lang }: McpShell): void {
  if (log.length === 0) return
  write(words.testLog[lang])
  for (const line of log.slice(-logLines)) write(theme.dim(`  ${toPlainLine(line, lineMax)}`))
}
