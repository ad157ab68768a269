import { listSources } from './own-data.ts'
import { editFile, searchFiles } from './own-file-changes.ts'
import { deleteFile, listFiles, readFile, writeFile } from './own-files.ts'
import { forgetFact, recallFacts, rememberFact } from './own-memory.ts'
import { calling, type OwnRule } from './own-rule.ts'
import { runCommand } from './own-shell.ts'
import { planTodos } from './own-todos.ts'
import type { DemoReply } from './reply.ts'
import type { Asked } from './use-tool.ts'

/** What is asked of the agent itself: memory, things to do, commands, files, pages. */
export function useOwnTool(asked: Asked): DemoReply | undefined {
  for (const rule of rules) {
    const reply = rule(asked)
    if (reply) return reply
  }
  return undefined
}

const fetchPage: OwnRule = ({ text, known }) => {
  const url = /\bhttps?:\/\/[^\s"'<>，。；）)]{1,2000}/i.exec(text)?.[0]
  return url && known.given.has('fetch_url')
    ? calling({ name: 'fetch_url', arguments: { url } })
    : undefined
}

const rules: readonly OwnRule[] = [
  listSources,
  ...[rememberFact, recallFacts, forgetFact, planTodos, runCommand],
  ...[editFile, writeFile, searchFiles, deleteFile, readFile, listFiles, fetchPage],
]
