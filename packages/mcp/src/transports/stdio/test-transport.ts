import { fileURLToPath } from 'node:url'
import type { McpError } from '../../errors.ts'
import type { JsonRpcMessage, JsonRpcResponse, RequestId } from '../../rpc/messages.ts'
import type { CallOptions, Transport } from '../transport.ts'
import { createStdioTransport, type StdioTransportOptions } from './stdio-transport.ts'

/** A transport with what it told, and short ways to use it. Disposing it closes it. */
export interface OpenTransport extends AsyncDisposable {
  transport: Transport
  messages: JsonRpcMessage[]
  warnings: string[]
  closes: McpError[]
  /** The calls that were answered when nobody waited any more. */
  late: RequestId[]
  stderr: string[]
  /** The result of a request with the next id. */
  ask(method: string, params?: object, options?: CallOptions): Promise<unknown>
  call(method: string, params?: object, options?: CallOptions): Promise<JsonRpcResponse>
}

export const lineServer = {
  command: process.execPath,
  args: [fileURLToPath(new URL('./test-line-server.ts', import.meta.url))],
}

/** A server that is a shell script. */
export function shellServer(script: string): StdioTransportOptions {
  return { command: 'sh', args: ['-c', script] }
}

export async function openTransport(
  options: Partial<StdioTransportOptions> = {},
  handle: (message: JsonRpcMessage) => void = () => {},
): Promise<OpenTransport> {
  const messages: JsonRpcMessage[] = []
  const closes: McpError[] = []
  const warnings: string[] = []
  const late: RequestId[] = []
  const stderr: string[] = []
  const transport = createStdioTransport({
    ...lineServer,
    onStderr: (line) => stderr.push(line),
    ...options,
  })
  let id = 0
  await transport.start({
    onMessage(message) {
      messages.push(message)
      handle(message)
    },
    onClose: (error) => closes.push(error),
    onWarning: (text) => warnings.push(text),
    onLateAnswer: (id) => late.push(id),
  })

  function call(method: string, params = {}, callOptions?: CallOptions) {
    id += 1
    return transport.call({ jsonrpc: '2.0', id, method, params: { ...params } }, callOptions)
  }

  return {
    transport,
    messages,
    warnings,
    closes,
    late,
    stderr,
    call,
    async ask(method, params, callOptions) {
      const answer = await call(method, params, callOptions)
      return 'result' in answer ? answer.result : answer.error
    },
    [Symbol.asyncDispose]: () => transport.close(),
  }
}
