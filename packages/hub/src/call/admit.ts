import type { CatalogueEntry } from '../catalogue/index.ts'
import { byArguments, type Policy, type Verdict } from '../policy/index.ts'
import { originOf, type RegisteredServer, type Servers } from '../servers/index.ts'
import { refuse } from './fault.ts'
import type { Admitted, Ending, Underway } from './underway.ts'

export interface AdmitMeans {
  policy: Policy
  servers: Pick<Servers, 'get'>
}

/** Finds the tool that is meant among those the caller may call. */
export function admit(means: AdmitMeans, underway: Underway): Admitted | Ending {
  const found = means.policy.resolve(underway.context, underway.call.tool)
  if (found.status === 'ambiguous') return ambiguous(underway, found.names)
  const { entry } = found
  const verdict = byArguments(found.verdict, entry, underway.args)
  note(underway, verdict, entry)
  if (found.status === 'unknown' || verdict.status === 'deny') return notAllowed(underway, verdict)
  const withheld = judgeOffer(means, underway, found.entry)
  return withheld ?? { ...underway, entry: found.entry, verdict }
}

/** The same again after an approval: what was withdrawn or changed meanwhile does not run. */
export function admitAgain(means: AdmitMeans, admitted: Admitted): Admitted | Ending {
  const { name, hash } = admitted.entry.tool
  const server_id = originOf(admitted.entry.tool.server_id)
  const { call, record, verdict } = admitted
  const { decided_by } = record
  const again = admit(means, { ...admitted, call: { ...call, tool: { server_id, name } } })
  if (isEnding(again)) return again
  if (again.entry.tool.hash !== hash) return changedMeanwhile(admitted, 'The tool has changed')
  const isAskedNow = verdict.status === 'allow' && again.verdict.status === 'ask'
  if (isAskedNow) return changedMeanwhile(admitted, "It needs a person's approval by now")
  const isNoted = admitted.approved_by !== undefined || admitted.edited_by !== undefined
  if (isNoted) record.decided_by = decided_by
  return { ...again, call }
}

function changedMeanwhile(admitted: Admitted, what: string): Ending {
  return refuse(admitted, 'denied', {
    code: 'approval_required',
    message: `${what} since the call was made, and it was not run: make the call again.`,
    advice: 'retry',
  })
}

function note({ record }: Underway, verdict: Verdict, entry: CatalogueEntry | undefined) {
  record.policy_revision = verdict.revision
  record.decided_by = toReasonJson(verdict.by)
  // Whether the tool is the caller's, nobody knows.
  if (entry === undefined || unasked.has(verdict.by.kind)) return
  record.server_id = originOf(entry.tool.server_id)
  record.tool_name = entry.tool.name
  record.schema_version = entry.tool.version
  record.definition_hash = entry.tool.hash
}

/** Reasons for which nobody asks whose the tool is. */
const unasked: ReadonlySet<string> = new Set<Verdict['by']['kind']>(['unconfirmed', 'role'])

/** A verdict that is kept has one reason for many calls. */
const reasons = new WeakMap<Verdict['by'], string>()

function toReasonJson(by: Verdict['by']): string {
  let json = reasons.get(by)
  if (json === undefined) {
    json = JSON.stringify(by)
    reasons.set(by, json)
  }
  return json
}

/** The same words for a tool of others and for one that does not exist. */
function notAllowed(underway: Underway, verdict: Verdict): Ending {
  if (verdict.by.kind === 'unconfirmed') {
    return refuse(underway, 'denied', {
      code: 'store_unavailable',
      message: 'Permissions cannot be confirmed just now: try again in a few seconds.',
      advice: 'retry',
    })
  }
  if (verdict.by.kind === 'role') {
    return refuse(underway, 'denied', {
      code: 'forbidden',
      message: 'An auditor reads what happened, and calls no tool.',
      advice: 'give_up',
    })
  }
  const asked = toAskedName(underway)
  const refused = refuse(underway, 'denied', {
    code: 'tool_not_allowed',
    message: `There is no tool "${asked}" that may be called here.`,
    advice: 'degrade',
  })
  if ('error' in refused) refused.error.tool_name = asked
  return refused
}

const nameMax = 512

/** The tool as the caller named it, cut. */
export function toAskedName({ call }: Pick<Underway, 'call'>): string {
  const name =
    typeof call.tool === 'string' ? call.tool : `${call.tool.server_id}/${call.tool.name}`
  return name.slice(0, nameMax)
}

function ambiguous(underway: Underway, names: string[]): Ending {
  return refuse(underway, 'invalid', {
    code: 'invalid_request',
    message: `Several tools have that name. Use one of: ${names.join(', ')}.`,
    advice: 'fix_arguments',
  })
}

const withheldText: Record<string, string> = {
  pending: 'Its definition has changed and waits for the approval of an administrator.',
  quarantined: 'It is new and waits for the approval of an administrator.',
  rejected: 'An administrator has rejected its definition, or its schema cannot be used.',
}

function judgeOffer(
  means: AdmitMeans,
  underway: Underway,
  { offer, tool }: CatalogueEntry,
): Ending | undefined {
  if (offer.status === 'offered') return undefined
  const server = means.servers.get(tool.tenant_id, tool.server_id)
  const name = server?.config.name ?? tool.server_id
  if (offer.status === 'unavailable') {
    return isConnectedByUse(server) ? undefined : unavailable(underway, name, offer.message)
  }
  const told = withheldText[offer.why]
  if (told === undefined) return unavailable(underway, name, notOffered(offer.why))
  return refuse(underway, 'denied', {
    code: 'approval_required',
    message: `The tool "${tool.name}" is held back. ${told}`,
    advice: 'degrade',
  })
}

/** A user's connection is opened by the first call: then it shows whether it can be. */
function isConnectedByUse(server: RegisteredServer | undefined): boolean {
  return server !== undefined && (server.user_id !== null || server.config.credentials === 'user')
}

function notOffered(why: string): string {
  return why === 'server_disabled' ? 'it is disabled.' : 'it does not offer the tool at present.'
}

/** For who talks with the model as much as for whoever looks after the server. */
function unavailable(underway: Underway, server: string, why: string): Ending {
  return refuse(underway, 'unavailable', {
    code: 'unavailable',
    message:
      `The server "${server}" of this tool is not available now: go on without it, or try again ` +
      `later. The reason: ${why}`,
    advice: 'degrade',
  })
}

/** Whether a step has ended the call. */
export function isEnding(step: Admitted | Ending | undefined): step is Ending {
  return step !== undefined && 'status' in step
}
