import { setTimeout as sleep } from 'node:timers/promises'

// What the servers of both official SDKs offer, whichever of them serves it.

export const serverInfo = { name: 'oracle', version: '1.0.0' }

export const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

const anything = { type: 'object' as const }

export const tools = [
  'echo',
  'fail',
  'structured',
  'steps',
  'wait',
  'cancelled',
  'ask_person',
  'ask_model',
  'ask_roots',
  'change_tools',
  'touch',
  'log',
  'change_lists',
  'subscriptions',
].map((name) => ({ name, description: `The tool ${name}`, inputSchema: anything }))

export const resources = [1, 2, 3, 4, 5].map((n) => ({ uri: `oracle://${n}`, name: `number ${n}` }))
export const resourceTemplates = [{ uriTemplate: 'oracle://{n}', name: 'any number' }]
export const prompts = [{ name: 'greet', arguments: [{ name: 'whom' }] }]

/** Two resources a page. */
export function resourcePage(cursor: string | undefined) {
  const start = Number(cursor ?? '0')
  const next = start + 2 < resources.length ? { nextCursor: String(start + 2) } : {}
  return { resources: resources.slice(start, start + 2), ...next }
}

export function isResource(uri: string): boolean {
  return uri.startsWith('oracle://')
}

export function readResource(uri: string) {
  return { contents: [{ uri, mimeType: 'text/plain', text: `content of ${uri}` }] }
}

export function getPrompt(whom: string | undefined) {
  const content = { type: 'text' as const, text: `Say hello to ${whom ?? 'nobody'}` }
  return { messages: [{ role: 'user' as const, content }] }
}

export function complete(value: string) {
  const values = ['Alice', 'Albert', 'Bob'].filter((name) => name.startsWith(value))
  return { completion: { values, total: values.length, hasMore: false } }
}

export const personQuestion = {
  message: 'What is your name?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const } },
    required: ['name'],
  },
}

export const modelQuestion = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Capital?' } }],
  maxTokens: 10,
}

export function text(value: string) {
  return { content: [{ type: 'text' as const, text: value }] }
}

/** What a tool may use of the call that it serves. */
export interface ToolCall {
  name: string
  args: Record<string, unknown>
  signal: AbortSignal
  progressToken: string | number | undefined
  notify(method: string, params: Record<string, unknown>): Promise<void>
}

const counts = { cancelled: 0 }

/** What clients of the handshake era have subscribed to and given up, in order. */
export const subscriptions: string[] = []

/** The tools that work the same in both SDKs; `undefined` for another. */
export async function callPlainTool(call: ToolCall) {
  switch (call.name) {
    case 'echo':
      return text(String(call.args.text))
    case 'fail':
      return { ...text('it did not work'), isError: true }
    case 'structured':
      return { ...text('{"n":7}'), structuredContent: { n: 7 } }
    case 'steps':
      return await reportSteps(call)
    case 'wait':
      return await waitForCancel(call.signal)
    case 'cancelled':
      return text(String(counts.cancelled))
    case 'subscriptions':
      return text(subscriptions.join())
  }
  return undefined
}

async function reportSteps({ progressToken, notify }: ToolCall) {
  for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
    const params = { progressToken, progress, total: 3, message: `step ${progress}` }
    await notify('notifications/progress', params)
  }
  return text(progressToken === undefined ? 'not asked' : 'asked')
}

async function waitForCancel(signal: AbortSignal) {
  await sleep(60_000, undefined, { signal, ref: false }).catch(() => {
    counts.cancelled += 1
  })
  return text('waited')
}
