import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Mall, MallCall, MallControl, MallOptions } from '../control.ts'
import { type MallFlags, toFlags } from '../flags.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How to start the mall in a process of its own; by default over stdio, as clients start it. */
export function mallCommand(flags: Partial<MallFlags> = {}): { command: string; args: string[] } {
  return { command: process.execPath, args: [main, ...toFlags({ transport: 'stdio', ...flags })] }
}

/** A mall that can die and come back at the same address. */
export interface MallProcess extends Mall {
  /** The process of now; another one after `start`. */
  readonly pid: number
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port. With a file for the database it goes on. */
  start(): Promise<void>
}

export async function startMallProcess(options: MallOptions = {}): Promise<MallProcess> {
  const kind = options.transport ?? 'sse'
  let child = await launch({ ...options, transport: kind })
  const { port } = new URL(child.url)

  async function end(signal: NodeJS.Signals): Promise<void> {
    const { process: mall } = child
    if (mall.exitCode !== null || mall.signalCode !== null) return
    mall.kill(signal)
    await once(mall, 'exit')
  }
  const close = () => end('SIGTERM')

  return {
    ...createRemoteControl(`http://127.0.0.1:${port}/_demo`),
    url: child.url,
    kind,
    port: Number(port),
    get pid() {
      return child.process.pid ?? 0
    },
    kill: () => end('SIGKILL'),
    async start() {
      child = await launch({ ...options, transport: kind, port: Number(port) })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function launch(flags: MallFlags): Promise<{ process: ChildProcess; url: string }> {
  const { command, args } = mallCommand(flags)
  // The channel ends with this process, and the mall with the channel.
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  child.channel?.unref()
  const lines = createInterface(child.stdout as Readable)
  const ended = once(child, 'exit').then(() => [''])
  const [line] = await Promise.race([once(lines, 'line'), ended])
  const [, url] = /^listening on (\S+)$/.exec(line) ?? []
  if (!url) throw new Error('The mall did not start; it says why on standard error.')
  return { process: child, url }
}

function createRemoteControl(base: string): MallControl {
  const post = async (verb: string, body: object = {}) => void (await ask(`${base}/${verb}`, body))
  return {
    async calls(tool) {
      const query = tool === undefined ? '' : `?${new URLSearchParams({ tool })}`
      const { calls } = await ask(`${base}/calls${query}`)
      return calls as MallCall[]
    },
    forgetCalls: () => post('forget-calls'),
    changeTool: (tool, change) => post('change-tool', { tool, ...change }),
    offerTools: (tools) => post('offer-tools', { tools }),
    delay: (tool, ms) => post('delay', { tool, ms }),
    breakOutput: (tool, broken = true) => post('break-output', { tool, broken }),
    answer: (how) => post('answer', { how }),
    dropStreams: () => post('drop-streams'),
    forgetSessions: () => post('forget-sessions'),
  }
}

async function ask(url: string, body?: object): Promise<Record<string, unknown>> {
  const asked = request(url, { method: body ? 'POST' : 'GET', agent: false })
  asked.end(body && JSON.stringify(body))
  const [response]: IncomingMessage[] = await once(asked, 'response')
  const answer = Object(response && (await json(response)))
  if (response?.statusCode !== 200) throw new Error(`The mall refuses: ${answer.error}`)
  return answer
}
