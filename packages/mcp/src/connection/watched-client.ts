import type { McpClient } from '../client/contract.ts'

export interface WatchedClientOptions {
  client: McpClient
  /** Runs a request and looks at how it ends, which it leaves as it is. */
  watch<T>(request: () => Promise<T>): Promise<T>
  /** In place of the client's own. */
  close(): Promise<void>
}

/** A client with each of its requests watched. */
export function createWatchedClient({ client, watch, close }: WatchedClientOptions): McpClient {
  return {
    get server() {
      return client.server
    },
    connect: (options) => client.connect(options),
    initialize: (options) => client.initialize(options),
    listTools: (options) => watch(() => client.listTools(options)),
    callTool: (name, args, options) => watch(() => client.callTool(name, args, options)),
    listResources: (options) => watch(() => client.listResources(options)),
    listResourceTemplates: (options) => watch(() => client.listResourceTemplates(options)),
    readResource: (uri, options) => watch(() => client.readResource(uri, options)),
    subscribeResource: (uri, options) => watch(() => client.subscribeResource(uri, options)),
    listPrompts: (options) => watch(() => client.listPrompts(options)),
    getPrompt: (name, args, options) => watch(() => client.getPrompt(name, args, options)),
    complete: (question, options) => watch(() => client.complete(question, options)),
    setLogLevel: (level, options) => watch(() => client.setLogLevel(level, options)),
    ping: (options) => watch(() => client.ping(options)),
    request: (method, params, options) => watch(() => client.request(method, params, options)),
    notify: (method, params) => client.notify(method, params),
    close,
    [Symbol.asyncDispose]: close,
  }
}
