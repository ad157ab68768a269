import { isPlainObject } from '@dataagent/schema/base'
import { isMcpError, McpError, type RpcFault } from '../errors.ts'
import { isModern, modernVersions } from './versions.ts'

/** What came of asking `server/discover`. */
export type DiscoveryOutcome = { result: unknown } | { error: unknown }

/** What it says of the server. */
export type DiscoveryVerdict =
  | { kind: 'modern'; version: string; result: Record<string, unknown> }
  /** Modern, but to be asked again in this version. */
  | { kind: 'again'; version: string; error: McpError }
  | { kind: 'legacy' }
  /** The server, or the way to it, failed at the question: an older one may do so. */
  | { kind: 'unclear'; error: McpError }
  /** Nothing is known of the server: it was not reached, or may not be spoken to. */
  | { kind: 'error'; error: unknown }

const unsupportedVersion = -32022

/**
 * Judges an answer to `server/discover` (2026-07-28, basic/versioning). What is not known to be
 * modern is legacy; a refusal for want of a credential says nothing of its era, and neither does a
 * failure of the server or of the way to it, after which `initialize` may still be accepted.
 */
export function judgeDiscovery(outcome: DiscoveryOutcome): DiscoveryVerdict {
  if ('result' in outcome) return judgeResult(outcome.result)
  const { error } = outcome
  if (!isMcpError(error)) return { kind: 'error', error }
  if (isFailure(error)) return { kind: 'unclear', error }
  if (error.kind === 'http' && !isAboutRequest(error)) return { kind: 'error', error }
  if (error.rpc?.code === unsupportedVersion) return judgeUnsupported(error, error.rpc)
  const answered = error.kind === 'rpc' || error.kind === 'http' || error.kind === 'protocol'
  return answered || error.kind === 'session_lost' ? { kind: 'legacy' } : { kind: 'error', error }
}

/** Whether the server got the question and failed at it. */
function isFailure({ kind, statusCode = 0, mayHaveRun }: McpError): boolean {
  if (kind === 'http') return statusCode >= 500
  return kind === 'network' && mayHaveRun
}

/** Whether the server wants to know first who asks. */
export function isAboutCaller(error: unknown): boolean {
  if (isMcpError(error, 'sign_in')) return true
  return isMcpError(error, 'http') && (error.statusCode === 401 || error.statusCode === 403)
}

function judgeResult(result: unknown): DiscoveryVerdict {
  const versions = isPlainObject(result) ? toVersions(result.supportedVersions) : undefined
  if (versions === undefined || !isPlainObject(result)) return { kind: 'legacy' }
  const version = modernVersions.find((known) => versions.includes(known))
  if (version !== undefined) return { kind: 'modern', version, result }
  if (!versions.some(isModern)) return { kind: 'legacy' }
  return { kind: 'error', error: noCommonVersion(versions) }
}

/** Whether an HTTP refusal is about what was asked, and not about who asked or about the server. */
export function isAboutRequest({ statusCode = 0 }: McpError): boolean {
  if (statusCode === 401 || statusCode === 403 || statusCode === 429) return false
  return statusCode >= 400 && statusCode < 500
}

function judgeUnsupported(error: McpError, { data }: RpcFault): DiscoveryVerdict {
  const versions = isPlainObject(data) ? toVersions(data.supported) : undefined
  if (versions === undefined || !versions.some(isModern)) return { kind: 'legacy' }
  const version = modernVersions.find((known) => versions.includes(known))
  if (version !== undefined) return { kind: 'again', version, error }
  return { kind: 'error', error: noCommonVersion(versions, error) }
}

function toVersions(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return value.every((version) => typeof version === 'string') ? value : undefined
}

/** Nothing that the server speaks is known here. */
function noCommonVersion(offered: string[], cause?: unknown): McpError {
  const theirs = offered.slice(0, 10).map((version) => JSON.stringify(version.slice(0, 40)))
  return versionError(theirs.join(', '), modernVersions, cause)
}

export function versionError(theirs: string, ours: readonly string[], cause?: unknown): McpError {
  return new McpError({
    kind: 'protocol',
    code: 'upstream_failed',
    message: `mcp: the server speaks protocol version ${theirs}; known here: ${ours.join(', ')}`,
    cause,
  })
}
