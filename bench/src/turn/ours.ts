import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, createExecutor, createOpenAiModel } from '@dataagent/core'
import { createEgress } from '@dataagent/guard'
import { createHub, defineTool } from '@dataagent/hub'
import { createSecret } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import { z } from 'zod'
import {
  pastMessages,
  question,
  type Setting,
  systemPrompt,
  type TurnEngine,
  toolDescription,
  toolName,
  toolResult,
} from './contract.ts'

/** Our executor with all that a server has on: hub, policy, audit, and the log in a SQLite file. */
export async function createOurEngine(setting: Setting): Promise<TurnEngine> {
  const cleanup = new AsyncDisposableStack()
  const dir = await mkdtemp(join(tmpdir(), 'bench-turn-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(dir, 'bench.db')}` }))
  await sql.migrate()
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const hub = cleanup.use(
    createHub({
      ...{ store: sql.hub, kv: cleanup.use(createMemoryKv()), key: randomBytes(32) },
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(dir, 'journal'),
    }),
  )
  await hub.start()
  const executor = createExecutor({
    ...{ hub, agent: toAgent(setting, egress), log: sql.events },
    maxConversations: setting.sessions,
  })
  const ids = await createSessions(sql, setting)
  const principal = { tenant_id: 'default', user_id: 'ada', role: 'user' } as const
  return {
    async turn(session) {
      let last: string | undefined
      for await (const event of executor.execute(question, ids[session]!, { principal })) {
        last = event.event_type
        if (event.event_type === 'error') throw new Error(event.error)
      }
      if (last !== 'done') throw new Error(`the turn ended with ${last}`)
    },
    close: () => cleanup.disposeAsync(),
  }
}

function toAgent(setting: Setting, egress: ReturnType<typeof createEgress>): Agent {
  const weather = defineTool({
    ...{ name: toolName, description: toolDescription },
    input: z.object({ city: z.string().describe('The city') }),
    run: () => toolResult,
  })
  const model = createOpenAiModel({
    ...{ egress, baseUrl: `${setting.url}/v1`, apiKey: createSecret(setting.apiKey) },
    model: setting.model,
  })
  return {
    ...{ assistant_id: 'bench', model, price: undefined, systemPrompt, middleware: [] },
    ...{ tools: [weather], toolMode: 'auto', toolBudgetTokens: 2_000, maxTurns: 10 },
    ...{ autoApprove: false, onReject: 'end' },
  }
}

async function createSessions(sql: SqlStore, setting: Setting): Promise<string[]> {
  const limits = { max_users: null, max_sessions_per_user: null, max_mcp_servers: null }
  const tenant = { tenant_id: 'default', name: 'default', ...limits, workspace_quota: null }
  await sql.tenants.create({ ...tenant, features_enabled: [], created_at: 1 })
  const ids = Array.from({ length: setting.sessions }, (_, i) => `session-${i}`)
  for (const session_id of ids) {
    await sql.sessions.create({
      ...{ session_id, tenant_id: 'default', user_id: 'ada', assistant_id: 'bench' },
      ...{ created_at: 1, last_active: 1, metadata: {} },
      state: { thread_id: session_id, auto_approve: false, status: 'idle' },
    })
    const entries = toEvents(session_id, setting.history)
    for (let i = 0; i < entries.length; i += 3_000) {
      await sql.events.append(session_id, entries.slice(i, i + 3_000))
    }
  }
  return ids
}

function toEvents(session_id: string, history: number) {
  return pastMessages(history).flatMap(({ role, content }, i) => {
    const place = { session_id, run_id: `run-${Math.floor(i / 2)}`, timestamp: 1 }
    const events =
      role === 'user'
        ? [{ event_type: 'user_message', message_id: `m-${i}`, content, ...place }]
        : [
            { event_type: 'text', content, is_final: true, ...place },
            { event_type: 'done', cancelled: false, ...place },
          ]
    return events.map((event) => ({ kind: event.event_type, json: JSON.stringify(event) }))
  })
}
