import {
  baseEnvironment,
  type Clock,
  type Environment,
  type ProcessOptions,
  type SandboxOptions,
  systemClock,
} from '@dataagent/guard'
import { closedHereError } from '../../errors.ts'
import { type Confidences, createConfidences } from '../shared/confidences.ts'
import { createStartOnce } from '../shared/start-once.ts'
import type { CallOptions, Transport, TransportEvents } from '../transport.ts'
import { confidencesInEnvironment } from './confidences.ts'
import { createLink, type Link } from './link.ts'
import { startServer } from './start-server.ts'

export interface StdioTransportOptions {
  /** An absolute path, or a name looked up in PATH. Never read by a shell. */
  command: string
  args?: readonly string[] | undefined
  /** The environment of the process, besides PATH, HOME and their like. */
  env?: Environment | undefined
  /** Where PATH, HOME and their like are taken from. Default: this process's environment. */
  hostEnv?: Readonly<Record<string, string | undefined>> | undefined
  /** Default: the host's own folder; in a sandbox its private /tmp. */
  cwd?: string | undefined
  /** Default: off. */
  sandbox?: SandboxOptions | undefined
  /** The largest line read. Default 16 MiB. */
  maxMessageBytes?: number | undefined
  /** How long the process may take to be started, not counting its first answer. Default 30 s. */
  startTimeoutMs?: number | undefined
  /** How long a close waits before it kills. Default 5 s. */
  graceMs?: number | undefined
  /** Gets the lines of stderr, in the long run at most 50 a second. Must not throw. */
  onStderr?: ((line: string) => void) | undefined
  clock?: Clock | undefined
}

const defaults = {
  maxMessageBytes: 16 * 1024 * 1024,
  startTimeoutMs: 30_000,
}

/**
 * A transport to a process that reads requests from its stdin and writes answers to its stdout, one
 * JSON message a line. `start` starts it, in a process group of its own; `close` closes its stdin,
 * then asks it to end, then ends it, with all that it has started.
 */
export function createStdioTransport(options: StdioTransportOptions): Transport {
  const { clock = systemClock } = options
  const startOnce = createStartOnce()
  const closing = new AbortController()
  let opening: Promise<Link> | undefined
  let link: Link | undefined
  let closed: Promise<void> | undefined

  async function open(events: TransportEvents, signal: AbortSignal | undefined): Promise<Link> {
    const base = toBase(options)
    const confidences = createConfidences(confidencesInEnvironment(options.env, base))
    const child = await startServer({
      process: toProcessOptions(options, base, confidences),
      timeoutMs: options.startTimeoutMs ?? defaults.startTimeoutMs,
      signal,
      closing: closing.signal,
      clock,
    })
    const maxBytes = options.maxMessageBytes ?? defaults.maxMessageBytes
    return createLink({ child, events, maxBytes, confidences, clock })
  }

  async function end(): Promise<void> {
    closing.abort()
    const opened = await opening?.catch(() => undefined)
    await opened?.close()
  }

  return {
    kind: 'stdio',
    async start(events, { signal } = {}) {
      startOnce()
      if (closed) throw closedHereError('the transport is closed')
      opening = open(events, signal)
      link = await opening
    },
    call(request, { signal }: CallOptions = {}) {
      return link?.call(request, signal) ?? Promise.reject(notOpen())
    },
    send(message, { signal }: CallOptions = {}) {
      return link?.send(message, signal) ?? Promise.reject(notOpen())
    },
    close() {
      closed ??= end()
      return closed
    },
  }
}

function notOpen() {
  return closedHereError('the transport is not open')
}

function toBase({ hostEnv }: StdioTransportOptions): Environment {
  // biome-ignore lint/style/noProcessEnv: who uses this as a library expects its PATH to be known
  return baseEnvironment(hostEnv ?? process.env)
}

function toProcessOptions(
  options: StdioTransportOptions,
  base: Environment,
  confidences: Confidences,
): ProcessOptions {
  const { command, args, env, cwd, sandbox, graceMs, onStderr, clock } = options
  return {
    command,
    env: { ...base, ...env },
    ...(args && { args }),
    ...(cwd !== undefined && { cwd }),
    ...(sandbox && { sandbox }),
    ...(graceMs !== undefined && { graceMs }),
    ...(onStderr && { onStderr: (line) => onStderr(toTellable(line, confidences)) }),
    ...(clock && { clock }),
  }
}

/** A line that was cut may end with the beginning of a confidence: its second half is left out. */
function toTellable(line: string, confidences: Confidences): string {
  const cut = / \[\d+ bytes more\]$/.exec(line)
  if (cut === null || confidences.isEmpty()) return confidences.inText(line)
  return confidences.inBeginning(line, Math.floor(cut.index / 2)) + cut[0]
}
