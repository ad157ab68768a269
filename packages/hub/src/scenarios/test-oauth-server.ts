import {
  type AuthorizationServerStandIn,
  type RpcMessage,
  startAuthorizationServer,
  startProtectedResource,
} from '@dataagent/testkit'

/** An MCP server that lets in who has signed in at its authorization server. */
export interface OAuthServer extends AsyncDisposable {
  url: string
  authorization: AuthorizationServerStandIn
  /** The tokens that requests came with. */
  tokens: Set<string>
}

/** Its tool `whoami` gives back the token that it was called with. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const cleanup = new AsyncDisposableStack()
  const authorization = cleanup.use(await startAuthorizationServer())
  const tokens = new Set<string>()
  const resource = cleanup.use(
    await startProtectedResource({
      issuers: () => [authorization.issuer],
      verify(token) {
        const issued = authorization.verify(token)
        if (issued) tokens.add(token)
        return issued
      },
      answer: (message) => answer(message, [...tokens].at(-1) ?? ''),
    }),
  )
  const dispose = () => cleanup.disposeAsync()
  return { url: resource.url, authorization, tokens, [Symbol.asyncDispose]: dispose }
}

function answer({ method }: RpcMessage, token: string): object | undefined {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      }
    case 'tools/list':
      return { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] }
    case 'tools/call':
      return { content: [{ type: 'text', text: `you came with ${token}` }] }
    case 'ping':
      return {}
    default:
      return undefined
  }
}
