import { type McpClient, McpError, type RequestOptions } from '@dataagent/mcp'

type Params = Record<string, unknown>
type Ask = (client: McpClient, params: never, options: RequestOptions) => Promise<object>

/** What can be asked of a server besides its tools. Lists are whole. */
const asks: Record<string, Ask> = {
  'resources/list': async (client, _, given) => ({ resources: await client.listResources(given) }),
  'resources/templates/list': async (client, _, given) => ({
    resourceTemplates: await client.listResourceTemplates(given),
  }),
  'prompts/list': async (client, _, given) => ({ prompts: await client.listPrompts(given) }),
  'resources/read': (client, { uri }: { uri: string }, given) => client.readResource(uri, given),
  'prompts/get': (client, params: { name: string; arguments?: Record<string, string> }, given) =>
    client.getPrompt(params.name, params.arguments, given),
  'completion/complete': (client, question, given) => client.complete(question, given),
}

/** Asks it; the answer is as the server sent it, but for a list. */
export async function askClient(
  client: McpClient,
  { method, params }: { method: string; params: Params },
  options: RequestOptions,
): Promise<Params> {
  const ask = Object.hasOwn(asks, method) ? asks[method] : undefined
  if (ask === undefined) throw notFound(method)
  return (await ask(client, params as never, options)) as Params
}

function notFound(method: string): McpError {
  const message = `mcp: "${method}" is not asked of servers`
  return new McpError({ kind: 'not_found', code: 'method_not_found', message })
}
