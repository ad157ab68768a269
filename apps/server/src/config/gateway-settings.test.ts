import { describe, expect, test } from 'vitest'
import { loadConfig } from './load.ts'

const source = {
  MCP_PROTOCOL_VERSION: '2024-11-05',
  MCP_SERVER_NAME: 'AnmeiSmart MCP Server',
  MCP_SERVER_IDENTIFIER: 'anmeismart-mcp-server',
  MCP_AUTH_BASE_URL: 'http://host.docker.internal:8000/mcp/oauth/authorize',
  MCP_OAUTH_REDIRECT_URI:
    'http://localhost/console/api/workspaces/current/tool-provider/mcp/oauth/callback',
  MCP_SESSION_TTL_SECONDS: '1800',
  MCP_RL_ENABLED: 'false',
  MCP_RL_WINDOW_SECONDS: '30',
  MCP_RL_LIST_LIMIT: '12',
  MCP_RL_CALL_LIMIT: '24',
  REDIS_URL: 'redis://user:password@redis.example:6379/1',
  DATABASE_URL: 'postgresql+psycopg2://user:password@db.example/clinic',
}

function load(env: Record<string, string>) {
  return loadConfig({ argv: [], env, sharedDir: '/does/not/exist' })
}

function configOf(env: Record<string, string>) {
  const loaded = load(env)
  if (loaded.status !== 'ok') throw new Error(`it was ${loaded.status}`)
  return loaded.config
}

function messageOf(env: Record<string, string>): string {
  const loaded = load(env)
  if (loaded.status !== 'invalid') throw new Error(`it was ${loaded.status}`)
  return loaded.message
}

describe('the gateway', () => {
  test('is on, with defaults of our own product [E7.1]', () => {
    expect(configOf({})).toMatchObject({
      gateway: true,
      mcp_protocol_version: '2024-11-05',
      mcp_server_name: 'DataAgent',
      mcp_server_identifier: 'dataagent',
      mcp_auth_base_url: undefined,
      mcp_oauth_redirect_uri: undefined,
      mcp_session_ttl_seconds: 3600,
      mcp_rl_enabled: true,
      mcp_rl_window_seconds: 60,
      mcp_rl_list_limit: 120,
      mcp_rl_call_limit: 240,
      gateway_registration: true,
      gateway_open_discovery: false,
      gateway_hold_seconds: 50,
      gateway_message_bytes: 4 * 1024 * 1024,
    })
  })

  test('takes the variables of the source document as they stand [E7.1]', () => {
    const config = configOf(source)
    expect(config).toMatchObject({
      mcp_server_name: source.MCP_SERVER_NAME,
      mcp_server_identifier: source.MCP_SERVER_IDENTIFIER,
      mcp_auth_base_url: source.MCP_AUTH_BASE_URL,
      mcp_oauth_redirect_uri: source.MCP_OAUTH_REDIRECT_URI,
      mcp_session_ttl_seconds: 1800,
      mcp_rl_enabled: false,
      mcp_rl_window_seconds: 30,
      mcp_rl_list_limit: 12,
      mcp_rl_call_limit: 24,
      session_store: 'postgres',
    })
    expect(config.redis_url?.reveal()).toBe(source.REDIS_URL)
    expect(config.database_url?.reveal()).toBe(source.DATABASE_URL)
  })

  test('is set by our own variables too', () => {
    const env = {
      DATAAGENT_GATEWAY: 'off',
      DATAAGENT_GATEWAY_REGISTRATION: 'off',
      DATAAGENT_GATEWAY_OPEN_DISCOVERY: 'on',
      DATAAGENT_GATEWAY_HOLD_SECONDS: '0',
      DATAAGENT_GATEWAY_MESSAGE_BYTES: '65536',
    }
    expect(configOf(env)).toMatchObject({
      gateway: false,
      gateway_registration: false,
      gateway_open_discovery: true,
      gateway_hold_seconds: 0,
      gateway_message_bytes: 65_536,
    })
  })

  test.each([
    ['MCP_PROTOCOL_VERSION', '2026-07-28', 'one of 2024-11-05'],
    ['MCP_SERVER_NAME', 'x'.repeat(201), 'a name of up to 200 characters'],
    ['MCP_SERVER_IDENTIFIER', 'an me', 'up to 100 letters'],
    ['MCP_AUTH_BASE_URL', '/mcp/oauth/authorize', 'an http:// or https:// URL'],
    ['MCP_OAUTH_REDIRECT_URI', '/console/api/mcp/oauth/callback', 'an http:// or https:// URL'],
    ['MCP_OAUTH_REDIRECT_URI', 'javascript:alert(1)', 'an http:// or https:// URL'],
    ['MCP_SESSION_TTL_SECONDS', '0', 'a whole number from 60 to 2592000'],
    ['MCP_RL_ENABLED', 'perhaps', 'true or false'],
    ['MCP_RL_WINDOW_SECONDS', '1.5', 'a whole number from 1 to 86400'],
    ['MCP_RL_LIST_LIMIT', '0', 'a whole number from 1 to 1000000'],
    ['MCP_RL_CALL_LIMIT', '-1', 'a whole number from 1 to 1000000'],
    ['DATAAGENT_GATEWAY', '2', 'true or false'],
    ['DATAAGENT_GATEWAY_HOLD_SECONDS', '3601', 'a whole number from 0 to 3600'],
    ['DATAAGENT_GATEWAY_MESSAGE_BYTES', '4 MB', 'a whole number from 1024 to 1073741824'],
  ])('does not start with %s=%s, and names the field [E7.1]', (name, value, expected) => {
    const message = messageOf({ [name]: value })
    expect(message).toContain(`${name.replace('DATAAGENT_', '').toLowerCase()}: expected`)
    expect(message).toContain(expected)
    expect(message).toContain(`environment variable ${name}`)
  })
})
