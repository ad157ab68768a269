import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client'
import { metaKeys } from '../protocol/meta.ts'
import { toCompleteResult, toPromptResult, toReadResult } from '../protocol/results.ts'
import type { ListKind } from './calls.ts'
import { type ClientCore, createClientCore } from './client-core.ts'
import type { McpClient, McpClientOptions, RequestOptions } from './contract.ts'

/** Creates a client that speaks to the server at the other end of `options.transport`. */
export function createMcpClient(options: McpClientOptions): McpClient {
  return toClient(createClientCore(options))
}

/** The client around a core. */
export function toClient(core: ClientCore): McpClient {
  const { calls, peer } = core
  const isModern = () => core.server?.era === 'modern'
  const close = () => core.close()

  return {
    get server() {
      return core.server
    },
    connect: async (given) => (await core.connect(given)).identity,
    initialize: async (given) => (await core.connect({ ...given, era: 'legacy' })).identity,
    listTools: (given) => calls.listTools(given),
    callTool: (name, args = {}, given) => calls.callTool(name, args, given),
    listResources: (given) => calls.list<Resource>(lists.resources, given),
    listResourceTemplates: (given) => calls.list<ResourceTemplateType>(lists.templates, given),
    async readResource(uri, given) {
      return toReadResult(await calls.ask('resources/read', { uri }, given))
    },
    subscribeResource: (uri, given) => core.subscriptions.subscribe(uri, given),
    listPrompts: (given) => calls.list<Prompt>(lists.prompts, given),
    async getPrompt(name, args, given) {
      const params = args === undefined ? { name } : { name, arguments: args }
      return toPromptResult(await calls.ask('prompts/get', params, given))
    },
    async complete(question, given) {
      return toCompleteResult(await calls.ask('completion/complete', { ...question }, given))
    },
    setLogLevel,
    async ping(given) {
      await calls.ask(isModern() ? 'server/discover' : 'ping', undefined, given)
    },
    request: (method, params, given) => calls.request(method, params, given),
    notify: (method, params) => calls.notify(method, params),
    close,
    [Symbol.asyncDispose]: close,
  }

  /** Without a handshake the level goes along with every request. */
  async function setLogLevel(level: string, given?: RequestOptions): Promise<void> {
    if (isModern()) peer.envelope = { ...peer.envelope, [metaKeys.logLevel]: level }
    else await calls.ask('logging/setLevel', { level }, given)
  }
}

const lists = {
  resources: {
    method: 'resources/list',
    key: 'resources',
    capability: 'resources',
    what: 'resource',
    field: 'uri',
  },
  templates: {
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    capability: 'resources',
    what: 'resource template',
    field: 'uriTemplate',
  },
  prompts: {
    method: 'prompts/list',
    key: 'prompts',
    capability: 'prompts',
    what: 'prompt',
    field: 'name',
  },
} as const satisfies Record<string, ListKind>
