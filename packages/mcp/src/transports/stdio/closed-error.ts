import { stripVTControlCharacters } from 'node:util'
import type { ProcessExit } from '@dataagent/guard'
import { McpError } from '../../errors.ts'
import type { Confidences } from '../shared/confidences.ts'

const tailChars = 2048

/** How the connection to a server that has gone by itself came to its end. */
export interface End {
  /** Not known when it closed a stream and lives on. */
  exit: ProcessExit | undefined
  /** What it did instead. */
  sign: 'input' | 'output' | undefined
  stderrTail: string
  /** What its last words are told without. */
  confidences: Confidences
}

/** What calls fail with after the server has gone by itself. */
export function toClosedError(end: End, mayHaveRun: boolean): McpError {
  const tail = toTail(end)
  return new McpError({
    kind: 'closed',
    code: 'unavailable',
    message: `mcp: the server ${toVerb(end)}${tail === '' ? '' : `: ${tail}`}`,
    retryable: true,
    mayHaveRun,
    ...(end.exit && { data: { exitCode: end.exit.code, signal: end.exit.signal } }),
  })
}

function toVerb({ exit, sign }: End): string {
  if (exit?.signal) return `was ended by ${exit.signal}`
  if (exit) return `exited with code ${exit.code}`
  return sign === 'input' ? 'no longer reads its input' : 'closed its output'
}

/** The last whole lines, without what would move a terminal's cursor. */
function toTail({ stderrTail, confidences }: End): string {
  const text = stripVTControlCharacters(stderrTail).replace(/[^\n\t\P{Cc}]/gu, '')
  const trimmed = confidences.inText(text).trim()
  if (trimmed.length <= tailChars) return trimmed
  const end = trimmed.slice(-tailChars)
  return `…${end.slice(end.indexOf('\n') + 1)}`
}
