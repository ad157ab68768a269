import { createClinicTools, openClinicDatabase } from '@dataagent/example-clinic'
import { ownServerId } from '@dataagent/hub'
import { createConsent, createDifyProfile, type DifyProfile } from '@dataagent/testkit'
import { onTestFinished } from 'vitest'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './test-gateway.ts'

export const consoleUrl = 'https://dify.example'

/** The three addresses that a Dify may be given, by the way it then takes. */
export const paths = {
  streamable: '/mcp',
  sse: '/mcp/v1/sse',
  jsonrpc: '/api/v1/mcp/jsonrpc',
} as const

export type Way = keyof typeof paths

export interface ClinicGateway extends TestGateway {
  /** Where clients reach it. */
  url: string
  /** One who is in the clinic's books. */
  customer_id: string
  /** A Dify that was given the address; with a person who allows, or with a key of its own. */
  dify(way: Way, options?: { key?: string; consoleUrl?: string; hangMs?: number }): DifyProfile
}

/** The gateway with a group of the clinic's nine tools. */
export async function startClinicGateway(
  options: Pick<TestGatewayOptions, 'settings' | 'clock'> = {},
): Promise<ClinicGateway> {
  const database = openClinicDatabase()
  onTestFinished(() => database.close())
  const tools = createClinicTools({ database })
  const group = tools.map(({ name }) => ({ server_id: ownServerId, tool: name }))
  const gateway = await startTestGateway({ ...options, tools, group })
  const row = database.prepare("SELECT user_id FROM users WHERE role = 'customer' LIMIT 1").get()
  const { url } = gateway.workers[0]
  const authorize = createConsent({ key: gateway.key })
  return {
    ...{ ...gateway, url, customer_id: String(row?.user_id) },
    dify: (way, { key, hangMs = 10_000, ...more } = {}) =>
      createDifyProfile({
        ...{ url: url + paths[way], authorize, consoleUrl, ...more },
        timeouts: { hangMs, backoffMs: 10 },
        ...(key !== undefined && { headers: { Authorization: `Bearer ${key}` } }),
      }),
  }
}

export const nineTools = [
  'analyze_customer',
  'create_consultation_summary',
  'generate_treatment_plan',
  'get_consultation_history',
  'get_customer_preferences',
  'get_service_info',
  'get_user_profile',
  'optimize_plan',
  'search_users',
]
