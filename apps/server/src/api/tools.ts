import type { CatalogueEntry } from '@dataagent/hub'
import {
  AppError,
  toolCallRequestSchema,
  toolCallResponseSchema,
  toolExplainRequestSchema,
  toolExplanationSchema,
  toolsPageSchema,
  toolsQuerySchema,
} from '@dataagent/schema'
import { defineRoute, ownerOf, type Route } from '../deps/index.ts'
import type { Principal } from '../identity/index.ts'
import type { GetPlatform, Platform } from '../platform/index.ts'
import { matches, throwRefused, toView } from './tools-view.ts'

/** How long a call by hand is held open for a person to decide; then it can be made again. */
const holdMs = 50_000

/** What the caller, or an assistant of theirs, may call; and calling it by hand. */
export function toolRoutes(platform: GetPlatform): Route[] {
  return [listRoute(platform), callRoute(platform), explainRoute(platform)]
}

function listRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'GET', path: '/tools', tag: 'tools', access: 'user' },
    summary: 'Tools that may be called, at once or after a person has approved.',
    query: toolsQuerySchema,
    answer: toolsPageSchema,
    handle({ principal, query: { assistant_id, q, server_id, limit, offset } }) {
      const { hub } = platform()
      const context = toContext(platform(), principal, assistant_id)
      const isOf = ({ tool }: CatalogueEntry) =>
        server_id === undefined || tool.server_id === server_id
      const found = hub.listTools(context).filter((entry) => isOf(entry) && matches(entry, q))
      const page = found.slice(offset, offset + limit)
      const tools = page.map((entry) => toView(entry, hub.policy.explain(context, entry)))
      return { tools, limit, offset, total: found.length }
    },
  })
}

function callRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'POST', path: '/tools/call', tag: 'tools', access: 'user', isLong: true },
    summary: 'Calls a tool by hand. What is refused is answered as an error.',
    body: toolCallRequestSchema,
    answer: toolCallResponseSchema,
    async handle({ principal, body, signal }) {
      const { assistant_id, wait_for_approval, ...call } = body
      const caller = withAssistant(platform(), principal, assistant_id)
      const approver = wait_for_approval
        ? ({ kind: 'hold', holdMs } as const)
        : ({ kind: 'nobody' } as const)
      const context = { principal: caller, source: 'try_it', approver, signal } as const
      return throwRefused(await platform().hub.callTool(context, call))
    },
  })
}

function explainRoute(platform: GetPlatform): Route {
  return defineRoute({
    ...{ method: 'POST', path: '/tools/explain', tag: 'tools', access: 'user' },
    summary: 'Which list, rule or default decides; for an administrator of any user, refusals too.',
    body: toolExplainRequestSchema,
    answer: toolExplanationSchema,
    async handle({ principal, body: { tool, args, assistant_id, user_id = principal.user_id } }) {
      const { hub } = platform()
      const user = await findUser(platform(), principal, user_id)
      const context = toContext(platform(), user, assistant_id)
      const explanation =
        args === undefined
          ? hub.explain(context, tool, principal)
          : await hub.explainCall(context, { tool, args }, principal)
      if (explanation) return explanation
      throw new AppError('not_found', 'there is no such tool, or several are called so')
    },
  })
}

/** With an assistant also the tools that it brings itself. */
function toContext(platform: Platform, principal: Principal, assistant_id?: string) {
  if (assistant_id === undefined) return { principal }
  const tools = platform.agents.toolset(principal.tenant_id, assistant_id)
  return { principal: { ...principal, agent_id: assistant_id }, tools }
}

/** The caller as an assistant acts for them. Throws `not_found` for one that there is not. */
function withAssistant({ agents }: Platform, principal: Principal, assistant_id?: string) {
  if (assistant_id === undefined) return principal
  const { assistant_id: agent_id } = agents.choose(principal.tenant_id, assistant_id)
  return { ...principal, agent_id }
}

async function findUser({ tables }: Platform, principal: Principal, asked: string) {
  const { tenant_id, user_id } = ownerOf(principal, asked)
  if (user_id === principal.user_id) return principal
  const user = await tables.users.get(tenant_id, user_id)
  if (!user) throw new AppError('not_found', `there is no user ${user_id}`)
  return { tenant_id, user_id, role: user.role }
}
