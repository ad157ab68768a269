import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { waitFor } from '../wait-for.ts'
import { hostileServerCommand } from './command.ts'
import { startHostileHttp } from './http-server.ts'
import type { Knobs, Message } from './mode.ts'
import type { HostileMode } from './modes/table.ts'
import type { NoteKind } from './notes.ts'

/** A bare client of one transport, without any of the code under test. */
export interface OpenChannel extends AsyncDisposable {
  ask(method: string, params?: Record<string, unknown>): Promise<Message>
  tell(method: string, params?: Record<string, unknown>): Promise<unknown>
  notes(kind: NoteKind): string[]
  /** What came without an open question. */
  readonly heard: Message[]
  lastId(): number
}

type Open = (mode: HostileMode, knobs?: Knobs) => Promise<OpenChannel>

export const openers = { stdio: openStdio, http: openHttp, sse: openSse } satisfies Record<
  string,
  Open
>

async function openStdio(mode: HostileMode, knobs?: Knobs): Promise<OpenChannel> {
  const server = await hostileServerCommand(mode, knobs)
  const child = spawn(server.command, server.args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const desk = createDesk((text) => void child.stdin.write(`${text}\n`))
  createInterface(child.stdout).on('line', desk.take)
  return {
    ...desk,
    notes: server.notes,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await server[Symbol.asyncDispose]()
    },
  }
}

async function openHttp(mode: HostileMode, knobs?: Knobs): Promise<OpenChannel> {
  const server = await startHostileHttp(mode, knobs)
  let session = ''
  const desk = createDesk(async (text, { method = '', params }) => {
    const headers = {
      'mcp-session-id': session,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params?.name),
    }
    const response = await fetch(server.url, { method: 'POST', body: text, headers })
    session = response.headers.get('mcp-session-id') ?? session
    if (response.body) await readEvents(response.body, desk.take)
  })
  return { ...desk, notes: server.notes, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

async function openSse(mode: HostileMode, knobs?: Knobs): Promise<OpenChannel> {
  const server = await startHostileHttp(mode, knobs)
  const stream = await fetch(server.sseUrl)
  let endpoint = ''
  const desk = createDesk((body) => fetch(new URL(endpoint, server.url), { method: 'POST', body }))
  const reading = readEvents(stream.body as ReadableStream, (data) => {
    if (endpoint === '') endpoint = data
    else desk.take(data)
  })
  reading.catch(() => {})
  await waitFor(() => endpoint)
  return { ...desk, notes: server.notes, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

/** Gives each question an id and each answer to its question. */
function createDesk(send: (text: string, message: Message) => unknown) {
  const open = new Map<unknown, (answer: Message) => void>()
  const heard: Message[] = []
  let id = 0

  function take(text: string): void {
    const message = JSON.parse(text) as Message
    const settle = open.get(message.id)
    if (settle) settle(message)
    else heard.push(message)
  }

  async function tell(method: string, params = {}) {
    const message: Message = { jsonrpc: '2.0', method, params }
    await send(JSON.stringify(message), message)
  }

  async function ask(method: string, params = {}): Promise<Message> {
    id += 1
    const { promise, resolve } = Promise.withResolvers<Message>()
    open.set(id, resolve)
    const message: Message = { jsonrpc: '2.0', id, method, params }
    await send(JSON.stringify(message), message)
    return promise
  }

  return { ask, tell, take, heard, lastId: () => id }
}

async function readEvents(body: ReadableStream, take: (data: string) => void): Promise<void> {
  for await (const line of createInterface(Readable.fromWeb(body))) {
    if (line.startsWith('data: ')) take(line.slice('data: '.length))
  }
}
