import { toKnown } from './known-tools.ts'
import { editFile, searchFiles } from './own-file-changes.ts'
import { deleteFile, listFiles, readFile, writeFile } from './own-files.ts'
import { forgetFact, recallFacts, rememberFact } from './own-memory.ts'
import { calling, type OwnRule } from './own-rule.ts'
import { planTodos } from './own-todos.ts'
import type { DemoReply } from './reply.ts'
import { toCommand } from './to-command.ts'
import { type Asked, useTool } from './use-tool.ts'

/** What is asked of the agent itself: memory, things to do, commands, files, pages. */
export function useOwnTool(asked: Asked): DemoReply | undefined {
  for (const rule of rules) {
    const reply = rule(asked)
    if (reply) return reply
  }
  return undefined
}

const shellWord = /shell|bash|终端|命令|terminal|console|\bcommand\b/iu

const runCommand: OwnRule = (asked) => {
  const tool = asked.known.given.get('shell')
  const isMeant = tool && shellWord.test(asked.text) && toCommand(asked.text) !== undefined
  return isMeant ? useTool(toKnown(tool), asked) : undefined
}

const fetchPage: OwnRule = ({ text, known }) => {
  const url = /\bhttps?:\/\/[^\s"'<>，。；）)]{1,2000}/i.exec(text)?.[0]
  return url && known.given.has('fetch_url')
    ? calling({ name: 'fetch_url', arguments: { url } })
    : undefined
}

const rules: readonly OwnRule[] = [
  ...[rememberFact, recallFacts, forgetFact, planTodos, runCommand],
  ...[editFile, writeFile, searchFiles, deleteFile, readFile, listFiles, fetchPage],
]
