import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TerminalExit } from '@dataagent/guard'
import { type Screen, toPlainLine } from '../ui/index.ts'
import type { Lang, Text } from '../words/index.ts'
import { toTypable } from './paste.ts'
import { words } from './words.ts'

export type ExternalEdit = { status: 'ok'; text: string } | { status: 'failed'; message: string }

export interface ExternalEditOptions {
  text: string
  screen: Pick<Screen, 'lend'>
  lang: Lang
  /** Of this process: what names the editor, and what the editor gets. */
  env: Readonly<Record<string, string | undefined>>
}

/** Lets a person write in the editor that VISUAL or EDITOR names. Never rejects. */
export async function editExternally(options: ExternalEditOptions): Promise<ExternalEdit> {
  const { text, screen, lang, env } = options
  const [command, ...args] = splitCommand(env.VISUAL?.trim() || env.EDITOR?.trim() || '')
  if (command === undefined) return failed(words.noEditor)
  const name = toPlainLine(command)
  try {
    await using folder = await privateFolder()
    const file = join(folder.path, 'message.md')
    await writeFile(file, text, { mode: 0o600 })
    const exit = await screen.lend(() => run(command, [...args, file], env)).catch(() => undefined)
    if (exit === undefined) return failed(words.editorNotStarted(name))
    if (exit.kind === 'signal') return failed(words.editorFailed(name, exit.signal))
    if (exit.code !== 0) return failed(words.editorFailed(name, String(exit.code)))
    return { status: 'ok', text: toTypable(await readFile(file, 'utf8')).replace(/\n+$/, '') }
  } catch {
    return failed(words.editorLeftNothing)
  }

  function failed(message: Text): ExternalEdit {
    return { status: 'failed', message: message[lang] }
  }
}

async function privateFolder() {
  const path = await mkdtemp(join(tmpdir(), 'dataagent-edit-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function run(
  command: string,
  args: readonly string[],
  env: ExternalEditOptions['env'],
): Promise<TerminalExit> {
  const { runInTerminal } = await import('@dataagent/guard')
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return await runInTerminal({ command, args, env: Object.fromEntries(set) })
}

/** Words; quotes hold those with blanks together, and nothing else is read as a shell would. */
export function splitCommand(text: string): string[] {
  const parts = text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)
  return [...parts].map(([part]) => part.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
