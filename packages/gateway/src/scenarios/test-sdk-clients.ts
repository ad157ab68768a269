import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'

/** What both lines of the SDK can do, under one name. */
export interface SdkClient {
  /** Log messages that came. */
  logs: unknown[]
  listTools(): Promise<string[]>
  /** Gives the text of the result; `onProgress` is told how far it is. */
  call(name: string, args?: object, onProgress?: (progress: number) => void): Promise<string>
  getPrompt(name: string, args: Record<string, string>): Promise<unknown>
  listPrompts(): Promise<string[]>
  readResource(uri: string): Promise<unknown>
  listResources(): Promise<string[]>
  complete(value: string): Promise<string[]>
  /** Asks for log messages from this level on, as its era does. */
  wantLogs(): Promise<void>
}

export const clientKinds = ['v1', 'v2 legacy', 'v2 modern'] as const
export type ClientKind = (typeof clientKinds)[number]

const info = { name: 'outsider', version: '1.0.0' }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }
const form = {
  action: 'accept' as const,
  content: { name: 'Ada', username: 'ada', email: 'a@b.c' },
}
const text = { type: 'text' as const, text: 'Paris' }
const message = { role: 'assistant' as const, model: 'm', content: text }
const roots = { roots: [{ uri: 'file:///home/ada', name: 'home' }] }
const ref = { type: 'ref/prompt' as const, name: 'test_prompt_with_arguments' }

export async function connectClient(
  kind: ClientKind,
  url: string,
  key: string,
): Promise<SdkClient> {
  const headers = { authorization: `Bearer ${key}` }
  return kind === 'v1' ? connectFirst(url, headers) : connectSecond(kind, url, headers)
}

async function connectFirst(url: string, headers: Record<string, string>): Promise<SdkClient> {
  const client = new Client(info, { capabilities })
  const logs: unknown[] = []
  client.setRequestHandler(ElicitRequestSchema, () => form)
  client.setRequestHandler(CreateMessageRequestSchema, () => message)
  client.setRequestHandler(ListRootsRequestSchema, () => roots)
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    logs.push(params.data)
  })
  onTestFinished(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never,
  )
  return {
    logs,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, onProgress) {
      const options = onProgress && {
        onprogress: (told: { progress: number }) => onProgress(told.progress),
      }
      const result = await client.callTool({ name, arguments: { ...args } }, undefined, options)
      return (result.content as { text: string }[])[0]!.text
    },
    getPrompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    complete: async (value) =>
      (await client.complete({ ref, argument: { name: 'arg1', value } })).completion.values,
    wantLogs: async () => void (await client.setLoggingLevel('info')),
  }
}

async function connectSecond(
  kind: 'v2 legacy' | 'v2 modern',
  url: string,
  headers: Record<string, string>,
): Promise<SdkClient> {
  const isModern = kind === 'v2 modern'
  const client = new ModernClient(info, {
    capabilities,
    versionNegotiation: { mode: isModern ? 'auto' : 'legacy' },
  })
  const logs: unknown[] = []
  let _meta: Record<string, unknown> | undefined
  client.setRequestHandler('elicitation/create', () => form)
  client.setRequestHandler('sampling/createMessage', () => message)
  client.setRequestHandler('roots/list', () => roots)
  client.setNotificationHandler(
    'notifications/message',
    ({ params }) => void logs.push(params.data),
  )
  onTestFinished(() => client.close())
  await client.connect(new ModernTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return {
    logs,
    listTools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, onProgress) {
      const options = onProgress && {
        onprogress: (told: { progress: number }) => onProgress(told.progress),
      }
      const params = { name, arguments: { ...args }, ...(_meta && { _meta }) }
      const result = await client.callTool(params, options)
      return (result.content as { text: string }[])[0]!.text
    },
    getPrompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    listPrompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    listResources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    complete: async (value) =>
      (await client.complete({ ref, argument: { name: 'arg1', value } })).completion.values,
    async wantLogs() {
      // In the modern era each request says it for itself.
      if (isModern) _meta = { 'io.modelcontextprotocol/logLevel': 'info' }
      else await client.setLoggingLevel('info')
    },
  }
}
