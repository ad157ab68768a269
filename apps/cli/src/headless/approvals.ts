import type { Client } from '@dataagent/client'
import type {
  ApprovalDecidedEvent,
  ExecutionEvent,
  HITLRequestEvent,
  SentEvent,
} from '@dataagent/schema'
import { toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { Approve } from './request.ts'
import { words } from './words.ts'

export interface ApprovalOptions {
  client: Client
  approve: Approve
  session_id: string
  /** Of the platform, and whether it was named on the command line. */
  url: string
  isRemote: boolean
  lang: Lang
  warn(line: string): void
}

/** Answers what a turn asks in place of a person, or says where a person can. */
export interface Approvals {
  add(event: SentEvent): void
  /** Whether something was denied because nobody was asked. */
  readonly hasDenied: boolean
  /** Resolves when all answers have arrived. */
  settled(): Promise<void>
}

export function createApprovals(options: ApprovalOptions): Approvals {
  const { client, approve, lang, warn } = options
  const asked = new Map<string, string>()
  const answers: Promise<unknown>[] = []
  let hasDenied = false

  function onRequest({ approval_id, action_request }: HITLRequestEvent): void {
    if (asked.has(approval_id)) return
    const tool = toPlainLine(action_request.name, 80)
    asked.set(approval_id, tool)
    if (approve === 'policy') {
      warn(words.waiting(tool, `${options.url}/approvals`)[lang])
      return
    }
    hasDenied = true
    warn(words.denied(tool)[lang])
    warn(`  ${toLine(options)}`)
    const message = 'Nobody can be asked: this run is headless.'
    // Who was faster has decided; what it was is told by an event.
    answers.push(client.approvals.decide(approval_id, { type: 'reject', message }).catch(() => {}))
  }

  function onDecided({ approval_id, decision }: ApprovalDecidedEvent): void {
    const tool = asked.get(approval_id)
    if (approve === 'policy' && tool !== undefined)
      warn(words.decided(tool, decision.type === 'approve')[lang])
  }

  return {
    add(sent) {
      const event = sent as SentEvent & ExecutionEvent
      if (event.event_type === 'hitl_request') onRequest(event)
      if (event.event_type === 'approval_decided') onDecided(event)
    },
    get hasDenied() {
      return hasDenied
    },
    settled: async () => void (await Promise.all(answers)),
  }
}

/** What asks when all is approved may do harm: that needs a person, who can be elsewhere. */
function toLine({ approve, session_id, url, isRemote }: ApprovalOptions): string {
  const server = isRemote ? ` --server ${url}` : ''
  const mode = approve === 'never' ? 'auto' : 'policy'
  return `dataagent run${server} --session ${session_id} --approve ${mode} "…"`
}
