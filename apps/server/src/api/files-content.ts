import { posix } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Workspace } from '@dataagent/guard'
import { AppError, type FileInfo } from '@dataagent/schema'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page that opens it can neither run nor load anything. */
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Sends a file to be saved, not to be shown; resolves when it was sent or its reader has left. */
export async function sendFile(
  workspace: Workspace,
  path: string,
  { reply, signal }: { reply: FastifyReply; signal: AbortSignal },
): Promise<FastifyReply> {
  const { stream, size } = await workspace.stream(path, { signal })
  void reply
    .type('application/octet-stream')
    .headers({
      'content-length': size,
      'content-disposition': dispositionOf(posix.basename(path)),
      'content-security-policy': filePolicy,
    })
    .send(stream)
  await finished(stream, { cleanup: true }).catch(() => {})
  return reply
}

interface Receiving {
  request: FastifyRequest
  /** Refuses to replace what is there. */
  isNew: boolean
}

/** Writes all that arrives, folders as needed; nothing where it is refused or breaks off. */
export async function receiveFile(
  workspace: Workspace,
  path: string,
  { request: { raw }, isNew }: Receiving,
): Promise<FileInfo> {
  const made: string[] = []
  try {
    await makeFolders(workspace, posix.dirname(posix.normalize(path)), made)
    // The connection stays: whoever is refused in the midst is told so.
    const bytes = raw.iterator({ destroyOnReturn: false })
    const written = await workspace.write(path, bytes, isNew ? { expect: 'absent' } : {})
    return toFileInfo(posix.normalize(path), written)
  } catch (error) {
    for (const folder of made.reverse()) await workspace.remove(folder).catch(() => {})
    if (!raw.complete && raw.destroyed) throw brokenOff(error)
    // What is left of it stands before the next request of the connection.
    raw.resume()
    throw error
  }
}

/** Notes in `made`, outermost first, the folders that were not there. */
async function makeFolders(workspace: Workspace, path: string, made: string[]): Promise<void> {
  for (let at = path; at !== posix.dirname(at); at = posix.dirname(at)) {
    if (await workspace.exists(at)) break
    made.unshift(at)
  }
  await workspace.makeDir(path)
}

type Written = Awaited<ReturnType<Workspace['write']>>

/** @param path From the workspace's root. */
export function toFileInfo(path: string, { kind, size, mtimeMs }: Written): FileInfo {
  return { path, kind, size, modified_at: Math.floor(mtimeMs) }
}

/** RFC 6266: a plain name for old readers, the whole one for all others. */
function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_')
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, toHex)
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function brokenOff(cause: unknown): AppError {
  return new AppError('cancelled', 'The upload broke off. Nothing was written.', { cause })
}
