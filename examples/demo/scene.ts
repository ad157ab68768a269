import { type Client, createClient } from '@dataagent/client'
import { type MallProcess, startMallProcess } from '@dataagent/example-mall'
import {
  lastUserText,
  type ModelStandIn,
  type RecordedRequest,
  startModelStandIn,
  toolRounds,
} from '@dataagent/testkit'
import type { Narrator } from './narrator.ts'
import type { Platform } from './platform.ts'

/** All that the parts of the path work with. */
export interface Scene extends AsyncDisposable {
  narrator: Narrator
  platform: Platform
  /** The administrator of the first start. */
  admin: Client
  /** A user, once there is one. */
  ada: Client
  /** Cuts the line of the socket that she opened last. */
  cutLine(): void
  /** A shop as an MCP server over HTTP+SSE, in a process of its own. */
  mall: MallProcess
  /** Speaks the wire of OpenAI. */
  model: ModelStandIn
}

export async function openScene(narrator: Narrator, platform: Platform): Promise<Scene> {
  await using starting = new AsyncDisposableStack()
  const mall = starting.use(await startMallProcess())
  const model = starting.use(await startModelStandIn({ script: doAsTold }))
  const admin = createClient({ baseUrl: platform.url, apiKey: platform.adminKey })
  await admin.users.create({ user_id: 'ada', name: 'Ada' })
  const { key } = await admin.apiKeys.create('ada', { name: 'of the demo' })
  let line: WebSocket | undefined
  const CutWebSocket = new Proxy(WebSocket, {
    construct: (Socket, [url]) => (line = new Socket(url)),
  })
  const ada = createClient({ baseUrl: platform.url, apiKey: key, WebSocket: CutWebSocket })
  const cleanup = starting.move()
  return {
    ...{ narrator, platform, admin, ada, mall, model },
    cutLine: () => line?.close(),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

export const tale = Array.from({ length: 80 }, (_, at) => `Sheep ${at + 1} jumps. `).join('')

/** "call x {…}" calls the tool whose name ends so; "tell a tale" takes its time. */
function doAsTold(request: RecordedRequest) {
  const text = lastUserText(request)
  if (text.includes('tale')) return { text: tale, itl: 10 }
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(text) ?? []
  const tool = request.tools.find((offered) => name !== undefined && offered.name.endsWith(name))
  if (tool === undefined || toolRounds(request) > 0) return { text: 'Done.' }
  return { toolCalls: [{ name: tool.name, arguments: args || '{}' }] }
}
