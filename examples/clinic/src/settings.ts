import type { GatewaySettings } from '@dataagent/gateway'

/** The settings of `.env.example`; what is not set is as by default. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): GatewaySettings {
  const number = (name: string) => (env[name] === undefined ? undefined : Number(env[name]))
  return {
    protocol_version: env.MCP_PROTOCOL_VERSION,
    server_name: env.MCP_SERVER_NAME,
    server_identifier: env.MCP_SERVER_IDENTIFIER,
    auth_base_url: env.MCP_AUTH_BASE_URL,
    oauth_redirect_uri: env.MCP_OAUTH_REDIRECT_URI,
    session_ttl_seconds: number('MCP_SESSION_TTL_SECONDS'),
    rate_limits: {
      enabled: env.MCP_RL_ENABLED !== 'false',
      window_seconds: number('MCP_RL_WINDOW_SECONDS'),
      list_limit: number('MCP_RL_LIST_LIMIT'),
      call_limit: number('MCP_RL_CALL_LIMIT'),
    },
  }
}
